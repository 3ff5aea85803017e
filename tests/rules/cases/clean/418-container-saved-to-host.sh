#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun --container-image=/images/base.sqsh --container-save=/lustre/images/new.sqsh --output=/lustre/logs/build_%j.log \
  bash -c 'apt-get update && apt-get install -y numactl'
