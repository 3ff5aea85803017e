#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=64
#SBATCH --exclusive
#SBATCH --time=04:00:00
mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${hosts[0]}
port=$((20000 + SLURM_JOB_ID % 10000))
srun --overlap -N1 -n1 -c 64 --gpus=8 -w "$head" ray start --head --node-ip-address="$head" --port="$port" --num-gpus=8 --block &
until srun --overlap -N1 -n1 -w "$head" ray status --address="$head:$port" > /dev/null 2>&1; do sleep 2; done
srun --overlap -N1 -n1 -c 64 --gpus=8 -w "${hosts[1]}" ray start --address="$head:$port" --num-gpus=8 --block &
srun --overlap -N1 -n1 -w "$head" python train.py --ray-address "$head:$port"
