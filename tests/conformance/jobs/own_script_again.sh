#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

if [ "${1:-}" = worker ]; then
  torchrun --node-rank "$SLURM_NODEID" train.py "$2"
  exit
fi
srun bash "$0" worker data
srun "$0" worker other
