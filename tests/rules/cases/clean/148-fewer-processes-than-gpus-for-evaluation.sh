#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=8
#SBATCH --time=04:00:00
torchrun --standalone --nproc_per_node=8 train.py
python eval.py --checkpoint out/last.pt
