#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks=16
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=2G
#SBATCH --time=01:00:00
parallel -j "$SLURM_NTASKS" "srun --exact -N1 -n1 -c 4 --mem-per-cpu=2G python one.py {}" :::: inputs.txt
