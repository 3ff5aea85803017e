#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
# submitted as: LR=0.5 TP=4 sbatch job.sh

LR=${LR:-0.1}
: "${TP:=1}" "${PP:=2}"
EXTRA=${DEBUG:+--debug}
srun torchrun train.py --lr "$LR" --tp $TP --pp "$PP" $EXTRA
srun bash -c 'python train.py --lr ${LR:-none} --tp $TP --pp ${PP:-none}'
