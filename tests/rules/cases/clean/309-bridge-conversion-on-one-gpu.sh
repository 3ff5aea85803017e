#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
export NEMO_HOME=/lustre/nemo HF_HOME=/lustre/hf
M=/lustre:/lustre
I=/images/nemo.sqsh
srun -N1 -n1 --container-image=$I --container-mounts=$M --no-container-mount-home \
  python /opt/Megatron-Bridge/examples/conversion/convert_checkpoints.py import --hf-model /lustre/hf/m --megatron-path /lustre/ckpt/m
srun --container-image=$I --container-mounts=$M --no-container-mount-home --container-workdir=/opt/Megatron-Bridge \
  python scripts/training/run_recipe.py --recipe llama3_8b_sft_config checkpoint.pretrained_checkpoint=/lustre/ckpt/m
