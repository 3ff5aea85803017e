#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=2
#SBATCH --time=01:00:00
echo "devices: $CUDA_VISIBLE_DEVICES"
count=$(echo "$CUDA_VISIBLE_DEVICES" | tr ',' '\n' | wc -l)
torchrun --standalone --nproc_per_node="$count" train.py
