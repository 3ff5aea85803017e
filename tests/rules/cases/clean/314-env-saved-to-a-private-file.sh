#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
umask 077
env -0 > "$HOME/.job_env.$SLURM_JOB_ID"
python train.py
