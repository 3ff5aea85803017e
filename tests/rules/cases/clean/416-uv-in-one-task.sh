#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
export UV_CACHE_DIR=/lustre/cache/uv
uv sync --frozen
srun uv run --frozen python train.py
