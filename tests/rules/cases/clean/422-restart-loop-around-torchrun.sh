#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$(expr 10000 + $(echo -n "$SLURM_JOBID" | tail -c 4))
for try in 1 2 3; do
  srun --kill-on-bad-exit=1 torchrun --nnodes=2 --nproc_per_node=8 --rdzv_id="$SLURM_JOB_ID.$try" --rdzv_backend=c10d \
    --rdzv_endpoint="$MASTER_ADDR:$((MASTER_PORT + try))" train.py && exit 0
done
exit 1
