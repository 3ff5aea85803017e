#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2

TAG=run7
srun bash -s one "two words" <<EOF
python train.py --early $SLURM_PROCID --late \$SLURM_PROCID --tag ${TAG} --first "\$1" --second "\$2"
EOF
srun -n1 python - --steps 10 <<EOF
print("$TAG")
EOF
srun bash <<< "python train.py --rank \$SLURM_PROCID --tag $TAG"
