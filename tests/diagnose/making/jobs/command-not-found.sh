#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

# The environment of gpu02 was never made.
srun --label bash -c 'source ./env-$SLURMD_NODENAME.sh && torchrun-lite train.py'
