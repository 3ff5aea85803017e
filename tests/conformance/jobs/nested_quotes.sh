#!/bin/bash
#SBATCH -N 2 --ntasks-per-node=2

OUT=/scratch/$SLURM_JOB_ID
srun bash -c "bash -c 'python train.py --rank \$SLURM_PROCID --early $SLURM_PROCID --out $OUT'"
srun bash -c "bash -c \"python train.py --late \\\$SLURM_PROCID --middle \$SLURM_PROCID --early $SLURM_LOCALID\""
srun bash -c 'bash -c "python train.py --outer $SLURM_PROCID --inner \$SLURM_NODEID"'
srun bash -c "eval \"python train.py --rank \\\$SLURM_PROCID\""
srun sh -c 'exec env RANK=$SLURM_PROCID bash -c "python train.py --rank \$RANK"'
