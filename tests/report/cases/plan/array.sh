#!/bin/bash
#SBATCH --array=0-9%2
#SBATCH --ntasks=1
#SBATCH --mem-per-cpu=4G
#SBATCH --time=00:30:00

CONFIGS=(a.yaml b.yaml)
python sweep.py --config "${CONFIGS[$SLURM_ARRAY_TASK_ID]}" --index $SLURM_ARRAY_TASK_ID
