#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
# export HF_TOKEN="hf_..."
export WANDB_API_KEY="${WANDB_API_KEY:-}"
export WANDB_MODE=offline
python train.py
