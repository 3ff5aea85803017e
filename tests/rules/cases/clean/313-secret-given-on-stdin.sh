#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
cat ~/.secrets/registry | docker login --username train --password-stdin registry.example.org
docker run --rm --gpus all registry.example.org/train:1 python train.py
