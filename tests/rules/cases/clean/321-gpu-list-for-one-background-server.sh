#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
CUDA_VISIBLE_DEVICES=6,7 trl vllm-serve --model m --tensor_parallel_size 2 &
server=$!
CUDA_VISIBLE_DEVICES=0,1,2,3,4,5 accelerate launch --num_processes 6 --main_process_port $((20000 + SLURM_JOB_ID % 10000)) grpo.py
code=$?
kill "$server"
exit "$code"
