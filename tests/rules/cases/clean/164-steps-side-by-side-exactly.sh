#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-node=4
#SBATCH --mem=128G
#SBATCH --time=04:00:00
for seed in 1 2 3 4; do
  srun --exact -N1 -n1 -c 8 --gpus=1 --mem=32G python sweep.py --seed "$seed" > "seed_$seed.log" 2>&1 &
done
wait
