#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=04:00:00
srun --container-image=/images/bridge.sqsh --container-mounts=/lustre/proj:/data --no-container-mount-home \
  python /opt/Megatron-Bridge/scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config \
  logger.tensorboard_dir=/data/tb
