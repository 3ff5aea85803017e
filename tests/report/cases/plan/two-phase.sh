#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=60

export STAGE=data
srun --nodes=1 --ntasks=1 python prepare.py --out /scratch/set
export STAGE=train
srun python -m trainer.main --data /scratch/set
