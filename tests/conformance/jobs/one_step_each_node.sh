#!/bin/bash
#SBATCH -N 3
#SBATCH --ntasks-per-node=1

mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
for i in 0 1 2; do
  srun --overlap -N1 -n1 -w "${hosts[$i]}" --mem=1G torchrun --node-rank "$i" --nnodes 3 train.py &
done
wait
