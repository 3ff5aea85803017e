#!/bin/bash
#SBATCH --array=0-9
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
line=$((SLURM_ARRAY_TASK_ID + 1))
python train.py $(sed -n "${line}p" runs.txt)
