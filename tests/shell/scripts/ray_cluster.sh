#!/bin/bash
nodes_array=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
worker_num=$((SLURM_JOB_NUM_NODES - 1))
srun --nodes=1 --ntasks=1 -w "${nodes_array[0]}" ray start --head --port=6379 --block &
sleep 10
for ((i = 1; i <= worker_num; i++)); do
    node_i=${nodes_array[$i]}
    srun --nodes=1 --ntasks=1 -w "$node_i" \
        ray start --address "$ip:6379" --num-cpus "${SLURM_CPUS_PER_TASK}" --block &
    sleep 5
done
python -u main.py "$@"
