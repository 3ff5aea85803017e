#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

export LOUD=1 FAIL=raise FAIL_RANK=6 WARN_RANK=1 STEPS=30
srun --label --kill-on-bad-exit=1 python train.py
