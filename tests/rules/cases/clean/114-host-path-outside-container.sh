#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --exclusive
#SBATCH --time=04:00:00
OUT=/lustre/team/out/$SLURM_JOB_ID
mkdir -p "$OUT"
cp /lustre/team/configs/base.yaml "$OUT/"
srun --output="$OUT/step_%t.log" --container-image=/images/train.sqsh --container-mounts="$OUT:/out" \
  python /workspace/train.py --config /out/base.yaml --out /out
