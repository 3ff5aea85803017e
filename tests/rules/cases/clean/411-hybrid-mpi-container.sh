#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun --mpi=pmix apptainer exec --nv --bind /lustre hpl.sif ./xhpl HPL.dat
