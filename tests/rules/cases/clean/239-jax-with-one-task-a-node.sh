#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
export XLA_PYTHON_CLIENT_MEM_FRACTION=.9
srun --kill-on-bad-exit=1 python train_jax.py --mesh data:4,model:8
