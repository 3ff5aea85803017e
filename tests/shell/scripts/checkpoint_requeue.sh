#!/bin/bash
#SBATCH --signal=B:USR1@120
latest=$(ls -1t ckpt/*.pt 2>/dev/null | head -n1)
requeue() { echo "[$(date)] requeue"; scontrol requeue "$SLURM_JOB_ID"; }
trap requeue USR1
if [[ -n $latest && -f "$latest" ]]; then ARGS="--resume $latest"
elif [ "${1:-}" = "--fresh" ]; then
  ARGS=
else ARGS="--init" # first run's flags
fi
srun python train.py $ARGS & wait $!
