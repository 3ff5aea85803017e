#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

srun bash -c '
  if [ "$SLURM_PROCID" -eq 0 ]; then
    python server.py --port $((9000 + SLURM_PROCID))
  else
    python client.py --id "$SLURM_PROCID" --half $((SLURM_PROCID / 2))
  fi
  export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID
  evaluate --device ${SLURM_LOCALID} --name task_${SLURM_PROCID}_of_${SLURM_NTASKS}
'
if [ "$SLURM_PROCID" -eq 0 ]; then
  srun python always.py
fi
