#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
next=$(sbatch --parsable --export=NONE --dependency=afterok:"$SLURM_JOB_ID" --kill-on-invalid-dep=yes next.sh)
echo "next: ${next%%;*}"
python train.py
