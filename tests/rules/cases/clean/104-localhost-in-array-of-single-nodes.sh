#!/bin/bash
#SBATCH --array=0-7
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
export MASTER_ADDR=localhost
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
torchrun --nnodes=1 --node_rank=0 --nproc_per_node=8 train.py --seed "$SLURM_ARRAY_TASK_ID"
