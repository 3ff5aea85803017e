#!/bin/bash
#SBATCH -N 2
#SBATCH --ntasks-per-node=2

# Each of these is expanded here, once: all tasks get 0.
srun torchrun --nnodes=$SLURM_NNODES --node-rank="$SLURM_NODEID" train.py
srun python train.py --rank "$SLURM_PROCID" --local-rank=${SLURM_LOCALID} --world "$SLURM_NTASKS"
srun bash -c "python train.py --rank $SLURM_PROCID"
