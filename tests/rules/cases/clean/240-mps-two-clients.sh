#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --gpus-per-node=2
#SBATCH --time=01:00:00
for gpu in 0 1; do
  CUDA_VISIBLE_DEVICES=$gpu python eval.py --shard "$gpu" --of 2 &
done
wait
