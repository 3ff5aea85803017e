#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=4
#SBATCH --output=logs/%x-%j.out   # where the log's kept
export NCCL_DEBUG=INFO NCCL_IB_HCA="mlx5_0,mlx5_1" OMP_NUM_THREADS=$((SLURM_CPUS_PER_TASK/2))
export MASTER_ADDR="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"
export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$PWD"
unset LD_PRELOAD; ulimit -n 65536
srun --label bash -lc 'python -m torch.distributed.run --node_rank=$SLURM_NODEID train.py' &
wait -n; rc=$?; exit "$rc"
