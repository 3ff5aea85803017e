#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=01:00:00
python prepare.py && env -u SLURM_MEM_PER_NODE -u SLURM_CPUS_PER_TASK sbatch --export=NONE train.sbatch
