#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
module load openmpi
mpirun -np "$SLURM_NTASKS" --map-by ppr:8:node ./all_reduce_perf -b 8 -e 8G -f 2 -g 1
