#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
echo "task $SLURM_PROCID of job $SLURM_JOB_ID on $(hostname)"
python train.py
