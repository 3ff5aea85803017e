#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
srun bash -c 'CUDA_VISIBLE_DEVICES=$SLURM_LOCALID torchrun --nnodes=1 --nproc_per_node=1 --master_port=$((20000 + SLURM_LOCALID)) train.py --seed $SLURM_PROCID'
