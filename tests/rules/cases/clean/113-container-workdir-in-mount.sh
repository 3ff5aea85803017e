#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
srun --container-image=./train.sqsh --container-mounts="$PWD:/work" --container-workdir=/work \
  python train.py --config configs/base.yaml --out /work/out
