#!/bin/bash
#SBATCH --array=1,3
#SBATCH -N1
#SBATCH --ntasks-per-node=1

case $SLURM_ARRAY_TASK_ID in
  1) model=small layers=12 ;;
  2) model=medium layers=24 ;;
  *) model=large layers=48 ;;
esac
srun torchrun --nproc-per-node=8 train.py --model $model --layers=$layers
if [ "$SLURM_ARRAY_TASK_ID" -eq 3 ]; then
  srun evaluate --model "$model"
fi
report --last "${SLURM_ARRAY_TASK_MAX}"
