#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
export TRITON_CACHE_DIR=/tmp/$USER/triton_$SLURM_JOB_ID
export TORCHINDUCTOR_CACHE_DIR=/tmp/$USER/inductor_$SLURM_JOB_ID
export HF_HOME=/lustre/cache/hf
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
srun bash -c 'RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=$SLURM_LOCALID exec python train.py'
