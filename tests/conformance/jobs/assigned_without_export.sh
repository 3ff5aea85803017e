#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

# What came from the environment stays exported; what is new here does not leave the shell.
SLURM_NTASKS=2
HOME=/tmp/home
MODEL=llama
srun bash -c 'python train.py --world $SLURM_NTASKS --home $HOME --model ${MODEL:-none}'
SLURM_JOB_NAME=renamed
srun bash -c 'python train.py --name $SLURM_JOB_NAME'
