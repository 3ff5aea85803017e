#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
CUDA_VISIBLE_DEVICES= python tokenize_corpus.py --workers 16
torchrun --standalone --nproc_per_node=4 train.py
