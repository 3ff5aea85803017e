#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=2

srun bash -c 'python train.py --rank $SLURM_PROCID --world $SLURM_NTASKS'
srun -n2 bash -c 'python train.py --rank $SLURM_PROCID --world $SLURM_NTASKS --job ${SLURM_JOB_NUM_NODES:+yes}'
srun --ntasks="$SLURM_NTASKS" report
