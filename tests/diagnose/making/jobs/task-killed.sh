#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

srun --label --kill-on-bad-exit=1 env STEPS=40 FAIL=kill FAIL_RANK=3 LOUD=1 python train.py
