#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
CONDA_BASE=$(conda info --base)
. "$CONDA_BASE/etc/profile.d/conda.sh"
conda activate torch
python train.py
