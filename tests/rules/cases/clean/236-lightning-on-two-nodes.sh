#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gres=gpu:8
#SBATCH --signal=SIGUSR1@120
#SBATCH --exclusive
#SBATCH --time=01:00:00
export NCCL_DEBUG=WARN
srun python main.py fit --trainer.num_nodes=2 --trainer.devices=8 --trainer.accelerator=gpu --trainer.strategy=ddp
