#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
umask 077
printf 'machine api.wandb.ai\n  login user\n  password %s\n' "$(cat ~/.secrets/wandb)" > "$HOME/.netrc"
python train.py
