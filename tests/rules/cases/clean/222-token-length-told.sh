#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
echo "HF_TOKEN has ${#HF_TOKEN} characters, WANDB_API_KEY is ${WANDB_API_KEY:+set}"
python train.py
