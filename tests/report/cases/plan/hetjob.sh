#!/bin/bash
#SBATCH --job-name=actor-learner
#SBATCH --nodes=1 --ntasks=4 --gpus-per-node=4 --time=60
#SBATCH hetjob
#SBATCH --nodes=2 --ntasks-per-node=16

srun --het-group=0 python learner.py &
srun --het-group=1 python actor.py &
wait
