#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
set -euo pipefail
set +u
module load cuda/12.4
source "$HOME/miniforge3/etc/profile.d/conda.sh"
conda activate torch
set -u
python train.py
