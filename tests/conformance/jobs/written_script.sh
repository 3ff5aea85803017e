#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

NAME=mixtral
cat > run_node.sh <<EOF
#!/bin/bash
export NODE_RANK=\$SLURM_NODEID
torchrun --nnodes $SLURM_NNODES --node-rank \$NODE_RANK train.py --name $NAME --first \$1
EOF
chmod +x run_node.sh
srun bash run_node.sh alpha
srun ./run_node.sh beta
cat >> run_node.sh <<'EOF'
report --node "$SLURMD_NODENAME"
EOF
srun ./run_node.sh gamma
