#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=8
#SBATCH --time=04:00:00
torchrun --standalone --nproc_per_node=8 train.py 2>&1 | tee train.log
code=${PIPESTATUS[0]}
grep -c loss train.log
exit "$code"
