#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
set -e
CACHE=${CACHE_DIR:-/scratch/$USER/cache}
rm -rf "$CACHE/stale"
python prepare.py --cache "$CACHE"
