#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
MOUNTS=/usr/bin/scontrol,/usr/lib64/slurm,/etc/slurm,/run/munge,/lustre/data:/data
srun --container-image=/images/train.sqsh --container-mounts="$MOUNTS" bash -c '
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$head:29400 train.py'
