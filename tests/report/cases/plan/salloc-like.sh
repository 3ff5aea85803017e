#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=60

salloc --nodes=2 srun hostname
ssh node1 nvidia-smi
