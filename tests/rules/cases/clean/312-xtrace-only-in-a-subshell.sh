#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
export HF_TOKEN=$(< ~/.secrets/hf)
(set -x; nvidia-smi -L; ls -l data)
python train.py
