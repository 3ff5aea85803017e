#!/bin/bash
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1

srun --relative=0 -N1 -n1 --overlap python server.py
srun -r 1 -N 2 -n 2 --overlap bash -c 'python worker.py --rank $SLURM_PROCID --node $SLURM_NODEID'
last=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -n 1)
srun -N2 -n2 --exclude="$last" hostname
srun --nodelist="$last" -N1 -n1 evaluate
