#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
env | grep -E '^(SLURM|NCCL)_' | sort
printenv SLURM_JOB_ID
env OMP_NUM_THREADS=4 python train.py
