#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

srun --overlap --ntasks-per-node=1 -n2 nvidia-smi --query-gpu=utilization.gpu --format=csv -l 30 &
srun --overlap bash -c 'python train.py --rank=$SLURM_PROCID --nodes "$SLURM_JOB_NUM_NODES"'
wait
srun -n1 -N1 report --job "$SLURM_JOB_ID"
