#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
podman run --rm --device nvidia.com/gpu=all -v /lustre/data:/data:ro -v "$PWD":/work -w /work train:1 \
  python train.py --data /data --out /work/out
