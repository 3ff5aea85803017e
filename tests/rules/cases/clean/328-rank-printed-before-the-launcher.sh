#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
echo "batch shell is task $SLURM_PROCID on $(hostname), node id $SLURM_NODEID"
srun --label bash -c 'echo "node $SLURM_NODEID: $(hostname)"; exec torchrun --nnodes=2 --nproc_per_node=4 \
  --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29400 train.py'
