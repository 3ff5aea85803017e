#!/bin/bash
#SBATCH -N 2
#SBATCH --ntasks-per-node=2

srun bash -c 'torchrun --nnodes=$SLURM_NNODES --node-rank=$SLURM_NODEID train.py'
srun bash -c "python train.py --rank \$SLURM_PROCID --local-rank=\${SLURM_LOCALID} --world \"\$SLURM_NTASKS\""
srun bash -c 'python train.py --rank "${SLURM_PROCID}" --is-first $((SLURM_PROCID == 0))'
