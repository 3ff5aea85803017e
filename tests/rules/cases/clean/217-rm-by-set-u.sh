#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
set -eu
python prepare.py --tmp "/scratch/$USER/$RUN_NAME"
rm -rf "/scratch/$USER/$RUN_NAME"
