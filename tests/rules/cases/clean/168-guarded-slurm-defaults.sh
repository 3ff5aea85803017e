#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8
#SBATCH --time=04:00:00
#SBATCH --exclusive
GPUS=${SLURM_GPUS_ON_NODE:-8}
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-8}
torchrun --standalone --nnodes="${SLURM_NNODES:-1}" --nproc_per_node="$GPUS" train.py
