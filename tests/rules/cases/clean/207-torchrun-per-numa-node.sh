#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --gpus-per-node=8
#SBATCH --gpus-per-task=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export PORT=$((20000 + SLURM_JOB_ID % 10000))
srun bash -c 'torchrun --nnodes=$SLURM_NTASKS --nproc_per_node=4 --node_rank=$SLURM_PROCID --master_addr=$HEAD --master_port=$PORT train.py'
