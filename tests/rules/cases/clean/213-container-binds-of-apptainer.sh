#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=4
#SBATCH --time=04:00:00
export APPTAINER_BIND=/lustre/proj:/proj,/scratch
apptainer exec --nv --cleanenv --env HF_HOME=/proj/hf torch.sif torchrun --standalone --nproc_per_node=4 /proj/code/train.py --scratch /scratch/$USER
