#!/bin/bash
#SBATCH --nodes=1 --time=60
#SBATCH --job-name=chain

srun python prepare.py
for seed in 1 2 3; do
  sbatch --dependency=afterok:$SLURM_JOB_ID <<JOB
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=8 --gpus-per-node=8
#SBATCH --partition=$PARTITION
srun python train.py --seed $seed
JOB
done
sbatch evaluate.sh
[ -e done ] || sbatch "$0"
