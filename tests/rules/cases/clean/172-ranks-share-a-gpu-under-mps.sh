#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=16
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
export CUDA_MPS_PIPE_DIRECTORY=/tmp/$USER.$SLURM_JOB_ID/mps
mkdir -p "$CUDA_MPS_PIPE_DIRECTORY"
nvidia-cuda-mps-control -d
srun ./simulate --input in.dat
echo quit | nvidia-cuda-mps-control
