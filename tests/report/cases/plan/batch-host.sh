#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus=4
#SBATCH --time=60

mkdir -p logs
module load cuda
python prepare.py
torchrun --standalone --nproc_per_node=4 train.py
apptainer exec --nv -B /data:/data,/scratch image.sif python eval.py
mpirun -np 4 ./solver --fast
sbatch --dependency=afterok:$SLURM_JOB_ID next.sh
date
