#!/bin/bash
#SBATCH --nodes=2
#SBATCH --gpus-per-node=8
#SBATCH --time=60

TP=${TP:-2}
NAME=${NAME:-llama}
srun torchrun --nproc_per_node=${GPUS:-8} --nnodes=$SLURM_NNODES train.py \
    --tp $TP --name "$NAME"
