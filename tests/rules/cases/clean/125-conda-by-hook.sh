#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
eval "$(/opt/miniforge3/bin/conda shell.bash hook)"
conda activate torch
python train.py
