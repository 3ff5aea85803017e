#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2

cat > settings.env <<'EOF'
export HF_HOME=/cache/hf
MODEL=gemma
: "${STEPS:=100}"
EOF
source settings.env
set -a
. ./settings.env
set +a
srun python train.py --model "$MODEL" --steps "$STEPS"
srun bash -c 'python train.py --model "$MODEL" --rank $SLURM_PROCID'
