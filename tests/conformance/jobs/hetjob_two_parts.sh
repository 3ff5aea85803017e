#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=2
#SBATCH hetjob
#SBATCH --nodes=2 --ntasks-per-node=1

srun python trainer.py --tasks "$SLURM_NTASKS"
srun --het-group=1 bash -c 'python actor.py --rank $SLURM_PROCID'
srun --het-group=0,1 bash -c 'python check.py --rank $SLURM_PROCID'
