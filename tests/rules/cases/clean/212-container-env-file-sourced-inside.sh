#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
export IMAGE=/images/train.sqsh
export HEAD=$(hostname)
export DATA=/lustre/proj/data
read -r -d '' CMD <<'EOF'
source /workspace/env.sh
export PYTHONPATH=/workspace/src:$PYTHONPATH
export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS LOCAL_RANK=$SLURM_LOCALID
export MASTER_ADDR=$HEAD MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
python /workspace/train.py --data /data
EOF
srun --container-image="$IMAGE" --container-mounts="$DATA:/data,$HOME/code:/workspace" bash -c "$CMD"
