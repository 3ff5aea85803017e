#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

# Two launchers on each node.
export MASTER_ADDR=gpu01 MASTER_PORT=29615 STEPS=20
srun --label --kill-on-bad-exit=1 bash -c 'on-node $SLURMD_NODENAME torchrun --nnodes=2 --nproc_per_node=1 --node_rank=$SLURM_NODEID --rdzv_conf=timeout=20 --master_addr=$MASTER_ADDR --master_port=$MASTER_PORT train_torch.py'
