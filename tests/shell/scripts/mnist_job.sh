#!/bin/bash
#SBATCH --job-name=mnist
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
set -euo pipefail
module purge
module load cuda/12.1 2>/dev/null || true
source ~/venv/bin/activate
nodes=( $( scontrol show hostnames $SLURM_JOB_NODELIST ) )
head=${nodes[0]}
head_ip=$(srun --nodes=1 --ntasks=1 -w "$head" hostname --ip-address)
export MASTER_ADDR=$head_ip MASTER_PORT=$((10000 + SLURM_JOB_ID % 20000))
CMD="torchrun --nnodes $SLURM_NNODES --nproc_per_node 8 \
  --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT train.py"
CMD="$CMD --epochs ${EPOCHS:-3}"
srun --container-image="$IMG" bash -c "
  export RANK=\$SLURM_PROCID
  $CMD
"
[ $? -eq 0 ] || { echo "failed" >&2; exit 1; }
