#!/bin/bash
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=2

srun --overlap -N2 -n2 bash -c '
  export OUTER=$SLURM_PROCID
  if [ "$SLURM_PROCID" = 0 ]; then
    srun --overlap bash -c "python inner.py --outer \$OUTER --rank \$SLURM_PROCID --of \$SLURM_NTASKS --on \$SLURM_NNODES"
  fi
'
srun --overlap -N1 -n1 -J outer bash -c 'srun --overlap -n1 bash -c "python inner.py --name \$SLURM_JOB_NAME"'
