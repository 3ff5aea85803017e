#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gres=gpu:h100:8,nvme:1
#SBATCH --exclusive
#SBATCH --time=01:00:00
nvidia-smi -L
torchrun --standalone --nproc_per_node=gpu train.py
