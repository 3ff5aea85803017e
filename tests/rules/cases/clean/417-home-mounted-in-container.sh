#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun --container-image=/images/t.sqsh --container-mount-home --container-mounts="$HOME/data:/data" \
  python "$HOME/code/main.py" fit --trainer.devices=8 --trainer.num_nodes=1 --data /data
