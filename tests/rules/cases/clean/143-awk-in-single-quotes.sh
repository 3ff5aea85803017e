#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
awk '/\$HOME/ { print $1 }' notes.txt
sed -i 's/\$SLURM_JOB_ID/id/' template.txt
python train.py
