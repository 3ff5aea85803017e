#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
export TMPDIR=/tmp/$SLURM_JOB_USER/$SLURM_JOB_ID
export TORCH_EXTENSIONS_DIR=$TMPDIR/ext TRITON_HOME=$TMPDIR/triton XDG_CACHE_HOME=$TMPDIR/cache
srun --ntasks-per-node=1 mkdir -p "$TMPDIR"
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
srun bash -c 'RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=$SLURM_LOCALID exec python train.py'
