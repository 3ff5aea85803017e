#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
nodes=($(scontrol show hostnames))
declare -p nodes
set | grep -E '^NCCL_' || true
export -p > /dev/null
python train.py
