#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
hosts=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
port=$((20000 + SLURM_JOB_ID % 10000))
for i in "${!hosts[@]}"; do
  ssh "${hosts[$i]}" "cd $PWD && torchrun --nnodes=${#hosts[@]} --nproc_per_node=8 --node_rank=$i --master_addr=${hosts[0]} --master_port=$port train.py" &
done
wait
