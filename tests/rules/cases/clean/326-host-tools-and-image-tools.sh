#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
IMG=/images/t.sqsh
srun --container-image="$IMG" --container-mounts=/lustre:/mnt bash -c 'cp /mnt/a.tar /tmp/a.tar && tar -C /tmp -xf /tmp/a.tar && python /workspace/t.py /tmp/a'
