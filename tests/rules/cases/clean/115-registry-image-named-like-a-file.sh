#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
srun --container-image=docker://registry.example.org#team/train.sqsh:1 python -V
