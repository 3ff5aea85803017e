#!/bin/bash
#SBATCH --array=0-2
#SBATCH --nodes=1
#SBATCH --ntasks=2

rates=(1e-4 3e-4 1e-3)
LR=${rates[$SLURM_ARRAY_TASK_ID]}
OUT=runs/${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}
export LR
srun python train.py --lr "$LR" --out "$OUT" --offset $((SLURM_ARRAY_TASK_ID * 100))
srun bash -c 'python train.py --lr $LR --rank $SLURM_PROCID --task $SLURM_ARRAY_TASK_ID'
