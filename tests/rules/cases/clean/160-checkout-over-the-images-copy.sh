#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun --container-image=/images/nemo.sqsh --container-mounts=/lustre/src/Megatron-Bridge:/opt/Megatron-Bridge,/lustre/nemo:/nemo \
  --no-container-mount-home bash -c 'cd /opt/Megatron-Bridge && python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config'
