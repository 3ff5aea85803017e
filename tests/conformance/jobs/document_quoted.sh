#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

export DATA=/data/wiki
srun bash <<'EOF'
set -e
export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS
python train.py --rank "$RANK" --world $WORLD_SIZE --data $DATA --local "${SLURM_LOCALID}"
EOF
