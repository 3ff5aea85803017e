#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
pids=()
for i in $(seq 0 7); do
  srun --exact -N1 -n1 --gpus-per-node=1 --cpus-per-task=8 --mem-per-gpu=60G python eval.py --part "$i" &
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
exit $failed
