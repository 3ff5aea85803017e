#!/bin/bash
#SBATCH --array=1-20
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
#SBATCH --output=logs/%A_%a.out
config=$(sed -n "${SLURM_ARRAY_TASK_ID}p" configs.txt)
python train.py --config "$config"
