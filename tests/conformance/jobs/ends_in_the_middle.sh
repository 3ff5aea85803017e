#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

STAGE=train
if [ "$STAGE" != all ]; then
  srun python "$STAGE.py"
  exit 0
fi
srun python never.py
