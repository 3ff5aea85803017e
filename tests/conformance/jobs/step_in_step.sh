#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

srun --overlap bash -c 'srun --overlap -N1 -n1 python probe.py --from $SLURM_PROCID; report --outer $SLURM_PROCID'
srun --overlap -N1 -n1 bash -c '
  srun --overlap -N2 -n2 bash -c "python train.py --inner \$SLURM_PROCID --outer $SLURM_PROCID"
  srun --overlap -N1 -n1 evaluate
'
