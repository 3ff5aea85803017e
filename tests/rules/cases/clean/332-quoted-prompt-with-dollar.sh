#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
srun python chat.py --prompt 'What costs \$5 at $HOME?' --stop '\$\$'
srun bash -c 'python t.py --regex "^\$SLURM" --name "$SLURM_JOB_NAME"'
