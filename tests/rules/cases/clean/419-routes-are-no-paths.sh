#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun --container-image=/images/t.sqsh --container-mounts=/lustre/m:/models bash -c '
python -m vllm.entrypoints.openai.api_server --model /models/base --port 8000 &
until curl -sf localhost:8000/health; do sleep 2; done
curl -s localhost:8000/v1/completions -H "Content-Type: application/json" -d @/models/request.json
kill %1'
