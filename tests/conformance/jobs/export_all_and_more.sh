#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

export WANDB_MODE=offline STAGE=one
srun --export=ALL,STAGE=two,LR=0.1 bash -c 'python train.py --stage $STAGE --lr $LR --wandb $WANDB_MODE'
srun --export=ALL python train.py --stage "$STAGE"
srun --export=ALL,RANK_HERE=$SLURM_PROCID python train.py
