#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
source ~/.config/train/secrets.env
export HF_TOKEN WANDB_API_KEY
set -x
python train.py --config base.yaml
