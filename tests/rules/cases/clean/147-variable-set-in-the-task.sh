#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --gpus-per-node=4
#SBATCH --time=04:00:00
seed=7
srun bash -c 'seed=$((100 + SLURM_PROCID)); CUDA_VISIBLE_DEVICES=$SLURM_LOCALID python sweep.py --seed $seed'
