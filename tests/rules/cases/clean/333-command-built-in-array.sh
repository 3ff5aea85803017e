#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
launch=(torchrun --nnodes="$SLURM_NNODES" --nproc_per_node="${SLURM_GPUS_ON_NODE}" --rdzv_id="$SLURM_JOB_ID"
  --rdzv_backend=c10d --rdzv_endpoint="$head:29400")
train=(train.py --lr 1e-4 --name "run $SLURM_JOB_ID")
srun "${launch[@]}" "${train[@]}"
