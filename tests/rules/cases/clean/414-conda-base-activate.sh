#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
source /opt/miniconda3/bin/activate
conda activate torch
python train.py
