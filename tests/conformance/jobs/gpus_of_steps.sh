#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --gpus-per-node=2

srun torchrun --nproc-per-node="$SLURM_GPUS_ON_NODE" train.py
srun bash -c 'python train.py --gpus ${SLURM_GPUS_ON_NODE} --asked ${SLURM_GPUS_PER_NODE:-none}'
srun --gpus-per-node=1 bash -c 'python train.py --asked ${SLURM_GPUS_PER_NODE:-none}'
srun -N1 -n1 --gpus=1 bash -c 'python train.py --asked ${SLURM_GPUS:-none}'
srun -n2 -N2 --gres=gpu:2 nvidia-smi -L
srun -N1 -n1 --gpus=2 nvidia-smi --query
srun -n2 --gpus-per-task=1 nvidia-smi --each
