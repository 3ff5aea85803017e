#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
# submitted as: sbatch --nodes=3 --ntasks-per-node 2 -J bigger job.sh

srun bash -c 'python train.py --rank $SLURM_PROCID --world $SLURM_NTASKS'
srun torchrun --nnodes "$SLURM_NNODES" train.py --name "$SLURM_JOB_NAME"
