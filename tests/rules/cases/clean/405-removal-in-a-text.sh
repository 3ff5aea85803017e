#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
echo "to start anew: rm -rf $RUN_DIR/*"
python -c 'print("rm -rf $X/")'
cat > clean.sh <<'EOF'
rm -rf "${1:?}"/*
EOF
python train.py
