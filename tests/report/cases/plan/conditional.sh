#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --time=60

: "${DATA:?give the data}"
if [ "$MODE" = eval ]; then
    srun python eval.py --data "$DATA"
else
    srun python train.py --data "$DATA"
fi
srun python report.py
