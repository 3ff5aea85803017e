#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
hosts=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/:4/' | paste -sd,)
horovodrun -np 8 -H "$hosts" python train.py
