#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

launch() {
  local nodes=$1 script=$2
  shift 2
  srun --nodes="$nodes" --ntasks-per-node=2 --ntasks=$((nodes * 2)) python "$script" "$@"
}
per_task() { srun bash -c "python $1 --rank \$SLURM_PROCID"; }
flags() { echo "--bf16 --seq-len $1"; }

launch 1 tokenize.py --workers 4
launch 2 train.py --name "two words" $(flags 4096)
per_task infer.py
