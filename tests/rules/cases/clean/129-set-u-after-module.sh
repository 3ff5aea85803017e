#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
module purge
module load cuda/12.4
source "$HOME/venvs/torch/bin/activate"
set -euo pipefail
python train.py
