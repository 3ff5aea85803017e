#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
#SBATCH --exclusive
cat > run_one.sh <<'EOF'
#!/bin/bash
export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID
export SEED=$SLURM_PROCID
exec python sweep.py
EOF
chmod +x run_one.sh
srun ./run_one.sh
