#!/bin/bash
#SBATCH -N 2
#SBATCH -n 2
#SBATCH --gres=gpu:a100:4
#SBATCH --exclusive
#SBATCH -t 4:00:00
GPUS=4
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
cmd="accelerate launch --multi_gpu --num_machines $SLURM_NNODES --num_processes $((SLURM_NNODES * GPUS)) \
 --main_process_ip $HEAD --main_process_port $((20000 + SLURM_JOB_ID % 10000)) --machine_rank \$SLURM_PROCID train.py"
srun bash -c "$cmd"
