#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
M=/lustre/data:/data:ro
M+=,/lustre/code/run.sh:/usr/local/bin/run.sh:ro
M+=,./configs:/configs
srun --container-image=/images/train.sqsh --container-mounts="$M" run.sh /data /configs/base.yaml
