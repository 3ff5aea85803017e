#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

cleanup() {
  srun -n1 report --status "$1"
}
trap 'cleanup done' EXIT
srun python train.py
trap 'cleanup interrupted' TERM
prepare --next
