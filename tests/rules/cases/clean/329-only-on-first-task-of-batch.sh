#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
mkdir -p "logs/rank_${SLURM_PROCID}"
python train.py --logdir "logs/rank_${SLURM_PROCID}"
