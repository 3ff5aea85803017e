#!/bin/bash
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
SIZE=${1:-70b}
case $SIZE in
  8b) TP=1 PP=1 ;;
  70b) TP=8 PP=4 ;;
  *) echo "what is $SIZE?" >&2; exit 1 ;;
esac
export CUDA_DEVICE_MAX_CONNECTIONS=1
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
ARGS="--tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP --num-layers 80"
srun bash -c "torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=\$HEAD:29400 pretrain_gpt.py $ARGS"
