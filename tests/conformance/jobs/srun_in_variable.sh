#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4

SRUN="srun --kill-on-bad-exit=1 --wait=60"
LAUNCHER="torchrun --nnodes $SLURM_NNODES --nproc-per-node 4"
$SRUN -N2 --ntasks-per-node=1 -n2 $LAUNCHER train.py --stage 1
$SRUN python train.py --stage 2
RUN_ON_ONE="$SRUN --nodes=1 --ntasks=1"
$RUN_ON_ONE python export.py
