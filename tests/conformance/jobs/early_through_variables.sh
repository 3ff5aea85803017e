#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

NODE_RANK=$SLURM_NODEID
export RANK=$SLURM_PROCID
ARGS=(--rank "$RANK" --node "$NODE_RANK")
srun torchrun --node-rank $NODE_RANK train.py
srun python train.py "${ARGS[@]}"
srun bash -c 'python train.py --rank $RANK --real $SLURM_PROCID'
srun env LOCAL_RANK=$SLURM_LOCALID bash -c 'python train.py --local $LOCAL_RANK'
srun --export=ALL,LOCAL_RANK=$SLURM_LOCALID bash -c "python train.py --local \$LOCAL_RANK --host $SLURMD_NODENAME"
