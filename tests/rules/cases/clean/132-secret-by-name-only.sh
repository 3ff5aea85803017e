#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
srun --container-image=/images/train.sqsh --container-env=WANDB_API_KEY,HF_TOKEN python train.py
docker run --rm --gpus all -e HF_TOKEN -e WANDB_API_KEY train:1 python eval.py
