#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
set -e
python prepare.py
sbatch --export=NONE --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --wrap='srun ./train_node.sh'
