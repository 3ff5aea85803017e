#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

export MODEL=llama
SLURM="SLURM_JOB_ID SLURM_STEP_ID SLURM_PROCID"
srun bash -c 'exec env -i PATH="$PATH" SLURM_JOB_ID=$SLURM_JOB_ID SLURM_STEP_ID=$SLURM_STEP_ID \
  SLURM_PROCID=$SLURM_PROCID bash -c "python clean.py --model \${MODEL:-none} --nodes \${SLURM_NNODES:-none}"'
srun env --unset=MODEL LR=1 bash -c 'python train.py --model "${MODEL:-none}" --lr $LR'
