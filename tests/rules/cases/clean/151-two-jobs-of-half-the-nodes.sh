#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
srun -N2 -n2 -w "${hosts[0]},${hosts[1]}" torchrun --nnodes=2 --nproc_per_node=8 --rdzv_id="${SLURM_JOB_ID}a" \
  --rdzv_backend=c10d --rdzv_endpoint="${hosts[0]}:29400" train.py --run a &
srun -N2 -n2 -w "${hosts[2]},${hosts[3]}" torchrun --nnodes=2 --nproc_per_node=8 --rdzv_id="${SLURM_JOB_ID}b" \
  --rdzv_backend=c10d --rdzv_endpoint="${hosts[2]}:29400" train.py --run b &
wait
