#!/bin/bash
#SBATCH --array=1-3
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
rates=(1e-3 3e-4 1e-4)
python train.py --lr "${rates[$((SLURM_ARRAY_TASK_ID - 1))]}"
