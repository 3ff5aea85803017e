#!/bin/bash
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=2

srun -N1 -n1 prepare --download c4
srun -n1 python tokenize.py --shards 16
srun --nodes=2 --ntasks=2 bash -c 'python warm.py --rank $SLURM_PROCID --of $SLURM_NTASKS --on $SLURM_NNODES'
srun -N 1 -n 2 hostname
srun bash -c 'python train.py --rank $SLURM_PROCID/$SLURM_NTASKS'
srun -n 3 --ntasks-per-node=1 evaluate --all
