#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
srun python main.py fit --trainer.devices=auto --trainer.num_nodes="$SLURM_NNODES" --trainer.strategy=ddp
