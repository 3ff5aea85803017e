#!/bin/bash
#SBATCH -G 8
BIND="-B /data,/scratch:/scratch"
IMG=${1:?usage: sbatch $0 image.sif}
for seed in {1..5}; do
  out=runs/$(date +%F)_seed$seed; mkdir -p "$out"
  srun apptainer exec --nv $BIND "$IMG" \
    python train.py --seed "$seed" ${RESUME:+--resume "$RESUME"} \
    > >(tee "$out/log.txt") 2> >(tee "$out/err.txt" >&2) || failed+=("$seed")
done
((${#failed[@]} == 0)) || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
