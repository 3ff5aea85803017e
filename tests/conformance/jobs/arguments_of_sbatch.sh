#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=2
# submitted as: sbatch job.sh configs/base.yaml --name "my run" --fast

CONFIG=$1
shift
echo "$# more arguments for $CONFIG"
srun python train.py --config "$CONFIG" "$@"
srun bash -c 'python train.py --rank $SLURM_PROCID "$0" "$@"' "$CONFIG" "$@"
for arg in "$@"; do
  [[ $arg == --* ]] && prepare "$arg"
done
srun -n1 report "${2:-nothing}" "${9:-default}"
