#!/bin/bash
#SBATCH --nodes=2
#SBATCH --exclusive

srun --ntasks-per-node=2 bash -c 'python train.py --rank $SLURM_PROCID --world $SLURM_NTASKS'
srun --ntasks-per-node=1 torchrun --nnodes=$SLURM_NNODES train.py
srun bash -c 'python train.py --world $SLURM_NTASKS --nodes $SLURM_NNODES'
srun -n4 bash -c 'python train.py --rank $SLURM_PROCID'
srun -N1 --ntasks-per-node=3 bash -c 'python train.py --rank $SLURM_PROCID --world $SLURM_NTASKS'
