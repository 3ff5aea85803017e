#!/bin/bash
#SBATCH --job-name=pretrain
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

# SLURM_NODEID is expanded by the batch shell: both nodes say that they are number 0.
export MASTER_PORT=29614 STEPS=20
srun --label bash -c "on-node \$SLURMD_NODENAME torchrun --nnodes=2 --nproc_per_node=1 --node_rank=$SLURM_NODEID --rdzv_conf=timeout=15 --master_addr=gpu01 --master_port=$MASTER_PORT train_torch.py"
