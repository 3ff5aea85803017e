#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
set -euo pipefail
work=$(mktemp -d "/tmp/train.$SLURM_JOB_ID.XXXXXX")
trap 'rm -rf "$work"' EXIT
python train.py --scratch "$work"
