#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=/shared/run/%x-%j.out
#SBATCH --chdir=/shared/no-such-folder

srun --label python pretrain_gpt.py
