#!/bin/bash
SRUN="srun --kill-on-bad-exit=1 --jobid $SLURM_JOBID"
$SRUN bash -c "cd /work; \"$PY\" x.py --rank \$SLURM_PROCID --n '$N'"
eval "$SRUN $CMD" 2>&1 | tee "$LOG"
srun bash -c '
  for i in 1 2; do
    echo "$i"
  done
'
srun --export=ALL,A=1,B="$B" env C=1 numactl --membind=0 python -u "t.py" -- --x
ssh host "echo \"a b\" && ls 'c d'"
