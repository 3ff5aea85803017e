#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

read -r -d '' COMMAND <<EOF
export RANK=\$SLURM_PROCID
python -u train.py \\
  --rank \$RANK --early ${SLURM_PROCID} \\
  --nodes $SLURM_NNODES
EOF
srun bash -c "$COMMAND"
srun bash -c "${COMMAND/train.py/evaluate.py}"
run="srun --ntasks=2 --nodes=2"
$run bash -c "cd /tmp; $COMMAND"
