#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

srun bash -c 'python train.py --rank $SLURM_PROCID "$@"' _ --name "a b" --star '*'
srun bash -c 'python "$0" --n $#' train.py x y z
srun bash -c 'shift; python train.py $1 ${2:-none} $*' - 1 2 3
set -- one "two three"
srun python train.py "$@" "$#" "$*"
