#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
port=$((20000 + SLURM_JOB_ID % 10000))
common="--nnodes=2 --nproc_per_node=4 --master_addr=${nodes[0]} --master_port=$port"
srun -N1 -n1 -w "${nodes[0]}" torchrun $common --node_rank=0 train.py &
srun -N1 -n1 -w "${nodes[1]}" torchrun $common --node_rank=1 train.py &
wait
