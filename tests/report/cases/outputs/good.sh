#!/bin/bash
#SBATCH --nodes=1
srun hostname
