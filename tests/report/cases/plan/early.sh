#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --time=60

srun bash -c "torchrun --nnodes=2 --node_rank=$SLURM_NODEID --nproc_per_node=gpu train.py"
