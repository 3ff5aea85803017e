#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
export VENV=/tmp/$USER.$SLURM_JOB_ID/venv
srun --ntasks-per-node=1 bash -c 'python -m venv $VENV && $VENV/bin/pip install --no-index --find-links=/lustre/wheels -r req.txt'
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
srun bash -c 'RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=$SLURM_LOCALID exec $VENV/bin/python train.py'
