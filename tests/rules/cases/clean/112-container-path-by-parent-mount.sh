#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
ROOT=/lustre/team/llm
MOUNTS="$ROOT,/lustre/cache:/root/.cache"
srun --container-image="$ROOT/images/train.sqsh" --container-mounts="$MOUNTS" \
  python "$ROOT/code/train.py" --data "$ROOT/data" --cache /root/.cache
