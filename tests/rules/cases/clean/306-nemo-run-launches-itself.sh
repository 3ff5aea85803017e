#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
python launch_experiment.py --executor slurm --nodes 4 --devices 8
