#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

RUN_EVAL=1
if [ ! -d /nowhere/checkpoints ]; then
  srun -N1 -n1 prepare --fresh
else
  srun -N1 -n1 prepare --resume
fi
if [[ "$RUN_EVAL" -eq 1 && $SLURM_NNODES -ge 2 ]]; then
  srun evaluate --nodes $SLURM_NNODES
else
  srun evaluate --never
fi
if srun -n1 -N1 failing --now; then
  srun -n1 report --passed
else
  srun -n1 report --failed
fi
srun -n1 -N1 failing --again || srun -n1 report --fallback
srun -N1 -n1 python train.py && srun report --done
