#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=04:00:00
srun --container-image=/images/train.sqsh bash -c '
if command -v squeue > /dev/null; then squeue --me; fi
python /workspace/train.py'
