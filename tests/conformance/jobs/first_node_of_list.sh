#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

head_node=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun --nodes=1 --ntasks=1 -w "$head_node" python serve.py --port 8000
head_ip=$(srun -N1 -n1 -w "$head_node" hostname)
srun torchrun --rdzv-endpoint "${head_ip}:29500" --nnodes 2 train.py
