#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=01:00:00
dirs=(/lustre/data /lustre/code /lustre/out)
mounts=
for d in "${dirs[@]}"; do mounts+="$d:$d,"; done
mounts=${mounts%,}
srun --container-image=/images/t.sqsh --container-mounts="$mounts" --no-container-mount-home \
  python /lustre/code/train.py --data /lustre/data/a --out "/lustre/out/$SLURM_JOB_ID"
