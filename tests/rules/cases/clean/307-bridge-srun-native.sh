#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
export NEMO_HOME=/lustre/nemo HF_HOME=/lustre/hf HF_HUB_OFFLINE=1
srun --mpi=pmix --no-container-mount-home --container-image=/images/nemo.sqsh --container-mounts=/lustre:/lustre \
  --container-workdir=/opt/Megatron-Bridge python scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config \
  model.tensor_model_parallel_size=2 model.pipeline_model_parallel_size=1 checkpoint.save=/lustre/ckpt
