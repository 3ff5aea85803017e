#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --gpus-per-node=8 --time=01:00:00 --exclusive
#SBATCH hetjob
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=16 --mem=64G
export SERVER=$(scontrol show hostnames "$SLURM_JOB_NODELIST_HET_GROUP_0" | head -n 1)
srun --het-group=0 python -m vllm.entrypoints.openai.api_server --model /lustre/m --tensor-parallel-size 8 &
srun --het-group=1 python client.py --server "$SERVER"
code=$?
kill %1
exit $code
