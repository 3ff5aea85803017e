#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=60

srun $SRUN_ARGS --label "$PYTHON" train.py --run "$(date +%s)" $EXTRA
