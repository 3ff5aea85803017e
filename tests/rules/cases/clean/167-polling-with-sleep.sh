#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=04:00:00
python -m vllm.entrypoints.openai.api_server --model /lustre/models/base --port 8000 &
server=$!
until curl -sf http://localhost:8000/health; do sleep 5; done
python eval.py --url http://localhost:8000/v1
code=$?
kill "$server"
exit $code
