#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

# A file system of one megabyte stands for the full disk of gpu02.
export CACHE=cache/index.npy FAIL=fill FAIL_RANK=1 STEPS=30
srun --label --kill-on-bad-exit=1 unshare --mount bash -c 'mkdir -p cache && mount -t tmpfs -o size=1m none cache && exec python train.py'
