#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
export NEMO_HOME=/lustre/nemo
torchrun --standalone --nproc_per_node=8 scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config
