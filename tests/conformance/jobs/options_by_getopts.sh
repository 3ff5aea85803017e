#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
# submitted as: sbatch job.sh -m mamba -s 7 -d

model=llama seed=0 debug=
while getopts "m:s:d" option; do
  case $option in
    m) model=$OPTARG ;;
    s) seed=$OPTARG ;;
    d) debug=--debug ;;
    *) exit 2 ;;
  esac
done
srun torchrun train.py --model "$model" --seed "$seed" $debug
