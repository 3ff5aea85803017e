#!/bin/bash
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
server=${hosts[2]}
train=$(IFS=,; echo "${hosts[*]:0:2}")
srun -N1 -n1 -w "$server" trl vllm-serve --model m --tensor_parallel_size 8 &
export HEAD=${hosts[0]} PORT=$((20000 + SLURM_JOB_ID % 10000))
srun -N2 -n2 -w "$train" bash -c 'accelerate launch --num_machines 2 --num_processes 16 --machine_rank $SLURM_PROCID \
  --main_process_ip $HEAD --main_process_port $PORT --rdzv_backend static grpo.py'
code=$?
kill %1
exit $code
