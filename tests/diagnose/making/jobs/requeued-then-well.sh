#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out
#SBATCH --requeue
#SBATCH --open-mode=append

echo "start number $((${SLURM_RESTART_COUNT:-0} + 1))"
if [ "${SLURM_RESTART_COUNT:-0}" = 0 ]; then export STEPS=4000; fi
srun --label python train.py
echo "done"
