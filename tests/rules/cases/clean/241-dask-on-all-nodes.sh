#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --exclusive
#SBATCH --time=01:00:00
file=$PWD/scheduler.$SLURM_JOB_ID.json
srun --overlap -N1 -n1 -c 2 dask scheduler --scheduler-file "$file" &
until [ -s "$file" ]; do sleep 1; done
srun --overlap -c 30 dask worker --scheduler-file "$file" --nthreads 30 &
python analyse.py --scheduler-file "$file"
