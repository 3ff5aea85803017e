#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
head=${nodes[0]}
for i in 0 1; do
  srun -N1 -n1 -w "${nodes[$i]}" torchrun --nnodes=2 --nproc_per_node=4 --node_rank="$i" \
    --master_addr="$head" --master_port=$((20000 + SLURM_JOB_ID % 10000)) train.py &
done
wait
