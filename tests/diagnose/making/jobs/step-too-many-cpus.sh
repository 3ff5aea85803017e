#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

echo "start: $(date)"
srun --ntasks-per-node=2 --cpus-per-task=96 python train.py
echo "finished"
