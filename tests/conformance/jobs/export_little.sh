#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

export WANDB_MODE=offline STAGE=one
srun --export=NONE ../bin/python train.py --stage "$STAGE"
srun --export=STAGE=two ../bin/python train.py
srun --export=PATH,STAGE bash -c 'python train.py --stage $STAGE --wandb ${WANDB_MODE:-none}'
srun --export=PATH,WANDB_MODE=online bash -c 'python train.py --stage ${STAGE-unset} --wandb $WANDB_MODE'
SLURM_EXPORT_ENV=PATH,STAGE srun bash -c 'python train.py --stage $STAGE --wandb ${WANDB_MODE:-none}'
srun env STAGE=three python train.py
