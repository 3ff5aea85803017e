#!/bin/bash
cat > worker.sh <<'WORKER'
#!/bin/bash
while [[ $# -gt 0 ]]; do
  case "$1" in --rank) rank=$2; shift 2;; *) break;; esac
done
cat <<EOF
rank $rank
EOF
WORKER
chmod +x worker.sh && sbatch --dependency=afterok:$SLURM_JOB_ID worker.sh
sbatch <<SUBMIT
#!/bin/bash
#SBATCH --job-name=${NAME}_next
srun bash -c "echo \$SLURM_PROCID; $CMD"
SUBMIT
