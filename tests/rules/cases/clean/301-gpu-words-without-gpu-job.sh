#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=01:00:00
export CUDA_VISIBLE_DEVICES=""
export NCCL_DEBUG=INFO
if command -v nvidia-smi > /dev/null; then nvidia-smi; fi
python make_shards.py --for-gpus 8 --device cpu
