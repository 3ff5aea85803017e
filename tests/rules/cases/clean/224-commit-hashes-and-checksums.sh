#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
set -e
COMMIT=0f1e2d3c4b5a69788796a5b4c3d2e1f001234567
echo "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  data.tar" | sha256sum -c -
git -C src checkout "$COMMIT"
python train.py --revision "$COMMIT"
