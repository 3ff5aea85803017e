#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$(expr 10000 + $(echo -n "$SLURM_JOBID" | tail -c 4))
export CUDA_DEVICE_MAX_CONNECTIONS=1
MODEL=(--num-layers 32 --hidden-size 4096 --num-attention-heads 32)
PARALLEL=(
  --tensor-model-parallel-size 4   # within a node
  --pipeline-model-parallel-size 4
  --sequence-parallel
)
DIST=(--nnodes "$SLURM_NNODES" --nproc-per-node 8 --rdzv-id "$SLURM_JOB_ID" --rdzv-backend c10d --rdzv-endpoint "$MASTER_ADDR:$MASTER_PORT")
srun torchrun "${DIST[@]}" pretrain_gpt.py "${MODEL[@]}" "${PARALLEL[@]}" --micro-batch-size 1 --global-batch-size 256
