#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2
#SBATCH --cpus-per-task=4

export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
srun -c "$SLURM_CPUS_PER_TASK" python train.py --threads $OMP_NUM_THREADS
srun -c 2 bash -c 'python train.py --threads $SLURM_CPUS_PER_TASK --omp $OMP_NUM_THREADS'
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
srun bash -c 'python train.py --threads ${SLURM_CPUS_PER_TASK:-unset}'
srun -n1 --cpus-per-task=8 bash -c 'python train.py --threads $SLURM_CPUS_PER_TASK'
