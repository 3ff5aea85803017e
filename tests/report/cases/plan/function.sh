#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=2
#SBATCH --time=10

run() {
    local name=$1
    shift
    srun --job-name="$name" python "$@"
}

run warm-up bench.py --steps 10
for size in 1 2 4 8 16 32 64 128 256 512 1024 2048; do
    run "size-$size" bench.py --size "$size"
done
run again bench.py
run again bench.py
