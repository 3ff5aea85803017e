#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
export SLURM_CPU_BIND=none
export SLURM_EXPORT_ENV=ALL
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
export SLURM_KILL_BAD_EXIT=1
srun python prepare.py
