#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

export FAIL=segv FAIL_RANK=2 STEPS=12
srun --kill-on-bad-exit=1 python train.py
