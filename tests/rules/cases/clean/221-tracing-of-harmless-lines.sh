#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
set -x
python prepare.py
{ set +x; } 2> /dev/null
export HF_TOKEN=$(cat ~/.secrets/hf)
set -x
python train.py
