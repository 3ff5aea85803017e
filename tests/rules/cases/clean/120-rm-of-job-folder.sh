#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
set -e
SCR=/scratch/$USER/job_$SLURM_JOB_ID
mkdir -p "$SCR"
cp -r data "$SCR/"
python prepare.py "$SCR"
rm -rf "$SCR"
