#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:01:00
#SBATCH --output=%x-%j.out

# Without --kill-on-bad-exit the others wait for the one that is gone, until the time is up.
export FAIL=raise FAIL_RANK=2 STEPS=4000 PACE=1
srun --label --kill-on-bad-exit=0 python train.py
