#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
set -e
python prepare.py
old=(checkpoints/step_*)
if (( ${#old[@]} > 3 )); then
  rm -rf -- "${old[@]:0:${#old[@]}-3}"
fi
