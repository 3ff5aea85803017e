#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
set -e
TMPDIR=$(mktemp -d)
export TMPDIR
python prepare.py --scratch "$TMPDIR/x"
rm -rf "$TMPDIR/x"
rm -rf "$TMPDIR"
