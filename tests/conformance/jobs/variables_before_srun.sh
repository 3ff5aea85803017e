#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

export SEED=1
MODE=debug
SEED=2 srun python train.py --seed $SEED
SEED=3 LR=0.5 srun bash -c 'python train.py --seed $SEED --lr $LR --mode ${MODE:-none}'
srun env SEED=4 LR="0.25" bash -c 'python train.py --seed $SEED --lr $LR'
srun env -u SEED bash -c 'python train.py --seed ${SEED:-gone}'
srun bash -c 'SEED=5; export LR=1; SEED=$SEED python train.py --lr $LR'
env SEED=6 srun -n1 bash -c 'python train.py --seed $SEED'
