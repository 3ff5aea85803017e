#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

export LOUD=1
srun --exact --ntasks=2 --nodes=1 --label env STEPS=6 python train.py &
srun --exact --ntasks=2 --nodes=1 --label env FAIL=raise FAIL_RANK=1 STEPS=6 python evaluate.py &
wait
