#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

srun -N1 -n1 prepare
exec srun --unbuffered torchrun --nnodes ${SLURM_JOB_NUM_NODES} train.py
srun report --never
