#!/bin/bash
#SBATCH --job-name=sft
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gres=gpu:a100:8
#SBATCH --time=04:00:00

IMAGE=/images/trainer.sqsh
MOUNTS="$HOME/code:/code,/data:/data"
MASTER=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n1)
export MASTER_ADDR=$MASTER

CMD="cd /code && uv run torchrun \
  --nnodes=$SLURM_NNODES --nproc_per_node=8 \
  --rdzv_backend=c10d --rdzv_endpoint=$MASTER:29500 \
  train.py --lr 1e-4 --out \$SLURM_PROCID"

srun --container-image="$IMAGE" --container-mounts="$MOUNTS" --no-container-mount-home \
    bash -c "$CMD"
