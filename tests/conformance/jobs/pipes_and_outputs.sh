#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

mkdir -p logs
srun python train.py --verbose 2>&1 | tee logs/train.log
echo "alpha beta" | srun -n1 bash -c 'read -r a b; python train.py --first fixed'
srun --ntasks=1 hostname > logs/hosts.txt
count=$(seq 1 3 | wc -l)
srun -n1 merge --count "$count" --name "$(basename /a/b/model.bin .bin)" --in "$(dirname /a/b/c)"
{ srun -n1 report --one; srun -n1 report --two; } > logs/reports.txt 2>&1
(cd logs && srun -n1 evaluate --in-subshell)
