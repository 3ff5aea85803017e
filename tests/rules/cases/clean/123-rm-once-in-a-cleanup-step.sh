#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
LOCAL=/tmp/$USER.$SLURM_JOB_ID
srun --ntasks-per-node=1 mkdir -p "$LOCAL"
srun --ntasks-per-node=1 cp -r /lustre/data/shards "$LOCAL/"
srun python prepare.py "$LOCAL"
srun --ntasks-per-node=1 rm -rf "$LOCAL"
