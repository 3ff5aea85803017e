#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2
# submitted as: LR=0.3 WANDB_MODE=offline sbatch --export=PATH,SLURM_CONF,SLURM_TASK_PROLOG,LR,TAG=nightly job.sh

export MODEL=llama
python local.py --lr "${LR:-none}" --tag "${TAG:-none}" --wandb "${WANDB_MODE:-none}" --model $MODEL
srun bash -c 'python train.py --lr "${LR:-none}" --tag "${TAG:-none}" --model "${MODEL:-none}"'
srun --export=ALL bash -c 'python train.py --tag "${TAG:-none}" --model "${MODEL:-none}"'
