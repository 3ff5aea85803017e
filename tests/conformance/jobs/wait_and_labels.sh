#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --output=ignored.txt

srun --wait=30 --label -u --output=step_%s_%t.log --error="step.err" python train.py --stage 1
srun -K1 -W 10 -l --chdir=/tmp python train.py --stage 2
srun --job-name=second -m cyclic bash -c 'python train.py --rank $SLURM_PROCID --node $SLURM_NODEID'
srun --cpu-bind=none --mpi=none -m block:block bash -c 'python train.py --rank $SLURM_PROCID --on $SLURM_NODEID'
