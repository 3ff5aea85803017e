#!/bin/bash
#SBATCH --array=1-3
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
names=("" small base large)
python train.py --model "${names[$SLURM_ARRAY_TASK_ID]}"
