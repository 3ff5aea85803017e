#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:01:00
#SBATCH --output=%x-%j.out

export MASTER_ADDR=gpu01 MASTER_PORT=29617 STEPS=2000 PACE=1
srun --label bash -c 'on-node $SLURMD_NODENAME torchrun --nnodes=2 --nproc_per_node=2 --node_rank=$SLURM_NODEID --master_addr=$MASTER_ADDR --master_port=$MASTER_PORT train_torch.py'
