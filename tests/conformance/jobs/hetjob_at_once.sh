#!/bin/bash
#SBATCH -N1 -n1
#SBATCH hetjob
#SBATCH -N1 --ntasks-per-node=3

export ROLE=learner
srun --het-group=0 python learner.py --port=6379 &
ROLE=worker srun --het-group=1 bash -c 'python worker.py --id $SLURM_LOCALID --role $ROLE' &
wait
