#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=2

for seed in 1 2 3 4; do
  srun --exact -N1 -n1 -c2 --mem=1G python sweep.py --seed "$seed" --threads $SLURM_CPUS_PER_TASK &
done
wait
srun -n1 merge runs/*.json
