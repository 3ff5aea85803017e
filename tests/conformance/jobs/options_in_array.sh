#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

SRUN_ARGS=(--label --unbuffered --nodes=2)
SRUN_ARGS+=(--ntasks-per-node=1)
if [[ $SLURM_NNODES -gt 1 ]]; then
  SRUN_ARGS+=(--kill-on-bad-exit=1)
fi
TRAIN_ARGS=(--lr 3e-4 --name "my run" --data /data/a /data/b)
TRAIN_ARGS+=("--world=$SLURM_NNODES")
srun "${SRUN_ARGS[@]}" torchrun --nnodes 2 train.py "${TRAIN_ARGS[@]}"
srun "${SRUN_ARGS[@]}" bash -c "python train.py ${TRAIN_ARGS[*]} --rank \$SLURM_PROCID"
