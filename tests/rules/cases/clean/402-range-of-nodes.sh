#!/bin/bash
#SBATCH --nodes=1-4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$(expr 10000 + $(echo -n "$SLURM_JOBID" | tail -c 4))
srun torchrun --nnodes="$SLURM_NNODES" --nproc_per_node="$(nvidia-smi -L | wc -l)" --rdzv_id="$SLURM_JOB_ID" \
  --rdzv_backend=c10d --rdzv_endpoint="$MASTER_ADDR:$MASTER_PORT" train.py
