#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
set -e
rm -rf "$SLURM_SUBMIT_DIR/tmp_$SLURM_JOB_ID" "${TMPDIR:-/tmp}/x_$SLURM_JOB_ID" "$HOME/.cache/torch_extensions"
python prepare.py
