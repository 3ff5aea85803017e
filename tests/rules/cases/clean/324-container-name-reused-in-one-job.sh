#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
name=train_$SLURM_JOB_ID
srun --container-name="$name" --container-image=/images/t.sqsh true
srun --container-name="$name" python /workspace/train.py
