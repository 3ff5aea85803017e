#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
HF_TOKEN=$(cat "$HOME/.secrets/hf_token")
export HF_TOKEN
export WANDB_API_KEY="$(< ~/.secrets/wandb)"
python train.py
