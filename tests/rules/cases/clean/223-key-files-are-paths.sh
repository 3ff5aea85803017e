#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
export AWS_SHARED_CREDENTIALS_FILE=$HOME/.aws/credentials
export HF_TOKEN_PATH=$HOME/.secrets/hf
python train.py --wandb-key-file ~/.secrets/wandb --token-env HF_TOKEN --api-key-name WANDB_API_KEY
