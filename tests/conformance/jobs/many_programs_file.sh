#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=3

cat > roles.conf <<'EOF'
0    python server.py --port 8000
1-2  python client.py --id %t --offset %o
EOF
srun --multi-prog roles.conf
