#!/bin/bash
#SBATCH --nodes=2 --frobnicate
#SBATCH --ntasks=12
#SBATCH --time=60

for node in a b; echo $node; done
srun --multi-prog table.conf
srun ./solver
