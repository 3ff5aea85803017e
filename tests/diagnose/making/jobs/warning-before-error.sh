#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

export WARN_RANK=0 FAIL=exit7 FAIL_RANK=3 STEPS=30
srun --kill-on-bad-exit=1 python train.py
