#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
set -e
rm -rf "$HOME/.triton/cache" ~/.cache/torch_extensions
WORK=$(pwd)/work_$SLURM_JOB_ID
rm -rf "$WORK"
mkdir "$WORK"
python train.py --out "$WORK"
