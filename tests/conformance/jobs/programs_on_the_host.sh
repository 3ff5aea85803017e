#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

nvidia-smi -L
hostname
export TOKENIZERS_PARALLELISM=false
python prepare.py --nodes "$SLURM_NNODES" --tasks "$SLURM_NTASKS" --each $SLURM_NTASKS_PER_NODE --rank $SLURM_PROCID
torchrun --nproc-per-node 2 train.py
bash -c 'python local.py --rank $SLURM_PROCID --tokenizers $TOKENIZERS_PARALLELISM'
uv run python local.py
