#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

time srun python train.py --timed
timeout 120 srun -n1 python train.py --limited
srun timeout --signal=INT 60 uv run --with rich python train.py --bf16
srun bash -c 'numactl --cpunodebind=$SLURM_LOCALID --membind=$SLURM_LOCALID python train.py --gpu $SLURM_LOCALID'
srun nsys profile -o trace.%q{SLURM_PROCID} --trace=cuda torchrun --nproc-per-node 1 train.py
srun apptainer exec --nv -B /data:/data image.sif python train.py --inside
nohup srun -n1 nice -n 5 python train.py --last
