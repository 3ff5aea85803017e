#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=4
#SBATCH --time=04:00:00
opts=(--nv --bind "$PWD:/work" --pwd /work)
singularity exec "${opts[@]}" torch.sif python -m torch.distributed.run --standalone --nproc_per_node=4 train.py
