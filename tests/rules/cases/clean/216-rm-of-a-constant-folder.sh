#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
set -e
rm -rf ./nemo_experiments_smoke
rm -rf build/
srun python prepare.py
