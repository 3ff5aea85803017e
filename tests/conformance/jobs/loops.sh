#!/bin/bash
#SBATCH -N1 -n2

for model in llama qwen; do
  for seed in {1..2}; do
    srun python train.py --model "$model" --seed=$seed
  done
done
n=0
while (( n < 2 )); do
  srun -n1 evaluate --checkpoint "ckpt_$((++n * 500))"
done
until [ "$n" -eq 0 ]; do
  n=$((n - 1))
  prepare "$n"
done
