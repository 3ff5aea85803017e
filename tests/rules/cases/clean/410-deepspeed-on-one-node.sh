#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
deepspeed --num_gpus=8 --master_port=$((20000 + SLURM_JOB_ID % 10000)) train.py --deepspeed ds.json
