#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
apptainer exec --nv -B /lustre/data:/data /images/torch.sif python train.py --nv --bind fast
APPTAINER_NV=1 apptainer exec /images/torch.sif python train.py
