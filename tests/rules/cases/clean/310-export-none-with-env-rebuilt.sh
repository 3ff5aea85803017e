#!/bin/bash -l
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --export=NONE
#SBATCH --time=01:00:00
unset SLURM_EXPORT_ENV
module load cuda
srun python train.py
