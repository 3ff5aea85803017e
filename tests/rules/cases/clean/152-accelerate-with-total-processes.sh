#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export PORT=$((20000 + SLURM_JOB_ID % 10000))
srun bash -c 'accelerate launch --num_machines=2 --num_processes=$((SLURM_NNODES * 4)) --machine_rank=$SLURM_NODEID \
  --main_process_ip=$HEAD --main_process_port=$PORT --rdzv_backend=static train.py'
