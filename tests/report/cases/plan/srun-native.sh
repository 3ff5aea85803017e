#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=h100:8
#SBATCH --cpus-per-task=12
#SBATCH --mem=0
#SBATCH --time=2-00:00:00
#SBATCH --partition=gpu
#SBATCH --account=research
#SBATCH --output=logs/%x-%j.out
#SBATCH --exclusive

export NCCL_DEBUG=WARN
export OMP_NUM_THREADS=12
export RUN_NAME="first try"

srun --mpi=pmix --kill-on-bad-exit=1 \
    python -u examples/pretrain_gpt.py --tensor-model-parallel-size 4 \
    --data-path "/data/my set" --seed=$SLURM_JOB_ID
