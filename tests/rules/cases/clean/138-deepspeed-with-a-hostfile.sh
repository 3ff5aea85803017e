#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
hostfile=$(mktemp "$PWD/hosts.XXXXXX")
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed 's/$/ slots=8/' > "$hostfile"
deepspeed --hostfile "$hostfile" --master_addr "$head" --master_port $((20000 + SLURM_JOB_ID % 10000)) train.py --deepspeed ds.json
code=$?
rm -f "$hostfile"
exit "$code"
