#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
: "${WANDB_API_KEY:?export it before sbatch}"
if [ -z "${HF_TOKEN:-}" ]; then
  echo "HF_TOKEN is not set: gated models will not load" >&2
fi
python train.py
