#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --time=00:10:00
set -euo pipefail

nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
head_node=${nodes[0]}
MASTER_PORT=$((29500 + 12))
export OMP_NUM_THREADS=8 NCCL_DEBUG=WARN

srun torchrun \
  --nnodes="$SLURM_NNODES" \
  --nproc-per-node="$SLURM_GPUS_PER_NODE" \
  --rdzv-backend=c10d \
  --rdzv-endpoint="$head_node:$MASTER_PORT" \
  train.py --config configs/base.yaml
