#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks=64
#SBATCH --time=01:00:00
snakemake --executor slurm --jobs 64 --use-conda all
