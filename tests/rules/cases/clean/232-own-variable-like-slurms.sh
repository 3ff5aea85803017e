#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
SLURM_LOG_DIR=logs/$SLURM_JOB_ID
mkdir -p "$SLURM_LOG_DIR"
echo "${SLURM_ARRAY_TASK_ID:-no array} ${SLURM_RESTART_COUNT:-0}" > "$SLURM_LOG_DIR/info"
python train.py --log "$SLURM_LOG_DIR"
