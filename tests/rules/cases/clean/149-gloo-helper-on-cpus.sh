#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --mem=64G
#SBATCH --time=04:00:00
torchrun --standalone --nproc_per_node=16 preprocess.py --backend gloo --device cpu
