#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
set -eo pipefail
eval "$(micromamba shell hook --shell bash)"
micromamba activate torch
python train.py
