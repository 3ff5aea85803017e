#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
set -e
find "${OUT:?}" -name '*.tmp' -mtime +2 -delete
rm -f "$OUT"/core.*
python prepare.py
