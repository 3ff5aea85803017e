#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

export SLURM_NTASKS=2
srun bash -c 'python train.py --world $SLURM_NTASKS --rank $SLURM_PROCID'
unset SLURM_NTASKS SLURM_NPROCS
export SLURM_NTASKS_PER_NODE=1
srun bash -c 'python train.py --world $SLURM_NTASKS'
SLURM_JOB_NUM_NODES=1 SLURM_NNODES=1 srun bash -c 'python train.py --world $SLURM_NTASKS --nodes $SLURM_NNODES'
SLURM_NTASKS=1 srun -N1 bash -c 'python train.py --world $SLURM_NTASKS'
