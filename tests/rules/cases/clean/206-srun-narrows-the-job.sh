#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun -N "$SLURM_NNODES" -n "$SLURM_NNODES" --ntasks-per-node=1 --gpus-per-node=8 torchrun --nnodes="$SLURM_NNODES" \
  --nproc_per_node=8 --rdzv_id="$SLURM_JOB_ID" --rdzv_backend=c10d --rdzv_endpoint="$HEAD:29400" train.py
