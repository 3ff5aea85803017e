#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
export WANDB_API_KEY=$WANDB_API_KEY HF_TOKEN
srun --export=ALL,WANDB_API_KEY python train.py
