#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
port=$((20000 + SLURM_JOB_ID % 10000))
srun bash -c "torchrun --nnodes=2 --nproc_per_node=8 --node_rank=\$SLURM_NODEID --master_addr=$head --master_port=$port train.py"
