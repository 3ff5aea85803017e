#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
OUT=$1
if [[ -n "$OUT" && -d "$OUT" ]]; then
  rm -rf "$OUT"/checkpoints
fi
python prepare.py
