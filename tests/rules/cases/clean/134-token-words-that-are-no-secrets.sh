#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
NUM_TOKENS=300000000000
EOS_TOKEN="</s>"
TOKENIZER=meta-llama/Llama-3.1-8B
KEY_FILE=$HOME/.ssh/known_hosts
echo "tokens: $NUM_TOKENS"
python train.py --tokens "$NUM_TOKENS" --tokenizer "$TOKENIZER" --eos-token "$EOS_TOKEN" --key-metric loss
