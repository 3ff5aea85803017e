#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

CMD="torchrun --nnodes=$SLURM_NNODES"
CMD+=" --node-rank \$SLURM_PROCID"
CMD="$CMD --nproc-per-node=${GPUS:-8}"
for flag in bf16 flash-attn sequence-parallel; do
  CMD+=" --$flag"
done
CMD="${CMD} train.py --seed=$((40 + 2))"
srun bash -c "$CMD"
srun bash -c "$CMD --early $SLURM_PROCID"
