#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --time=10

srun --overlap -N1 -n1 ./server --port 8000 &
srun --overlap -N1 -n1 ./client --port 8000 &
wait
