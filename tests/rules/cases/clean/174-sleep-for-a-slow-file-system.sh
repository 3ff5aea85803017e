#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
cp -r /lustre/data/shards "/tmp/$USER.$SLURM_JOB_ID"
sleep 2
python train.py --data "/tmp/$USER.$SLURM_JOB_ID"
