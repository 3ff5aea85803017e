#!/bin/bash
#SBATCH --job-name=gpt-8b
#SBATCH --account=llm
#SBATCH --partition=batch
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --time=04:00:00
#SBATCH --exclusive
#SBATCH --output=%x_%j.log

# Megatron-LM on four nodes, one torchrun on each of them.
set -euo pipefail

export CUDA_DEVICE_MAX_CONNECTIONS=1
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
REPO=/lustre/fsw/llm/Megatron-LM

MODEL_ARGS=(
    --num-layers 32 --hidden-size 4096 --num-attention-heads 32
    --seq-length 8192 --max-position-embeddings 8192
)
PARALLEL_ARGS="--tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --sequence-parallel"

CMD="torchrun --nproc_per_node=8 --nnodes=$SLURM_NNODES"
CMD="$CMD --node_rank=$SLURM_NODEID --master_addr=$HEAD --master_port=29400"
CMD="$CMD $REPO/pretrain_gpt.py ${MODEL_ARGS[*]} $PARALLEL_ARGS"
CMD="$CMD --micro-batch-size 1 --global-batch-size 256"

srun --container-image=/lustre/fsw/images/pytorch.sqsh \
     --container-mounts=/lustre/fsw:/lustre/fsw --no-container-mount-home \
     bash -c "$CMD"
