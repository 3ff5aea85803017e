#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
ARGS="--tensor-model-parallel-size 4 --pipeline-model-parallel-size ${PP:-2} --num-layers 32"
ARGS+=" --num-experts 64 --expert-model-parallel-size 8 --expert-tensor-parallel-size 1 --micro-batch-size 1 --global-batch-size 64 --seq-length 4096 --sequence-parallel"
srun torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py $ARGS
for tp in 1 2 3; do
srun torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size $tp
done
srun -n16 --ntasks-per-node=8 python scripts/training/run_recipe.py --recipe qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config -pp 2 $X
torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --global-batch-size $G --context-parallel-size $CP
if [ -e x ]; then T=2; else T=4; fi
python tools/x.py --tensor-model-parallel-size $T
srun -n64 --ntasks-per-node=8 python scripts/training/run_recipe.py --recipe deepseek_v3_pretrain_64gpu_h100_fp8cs_config -pp 4
srun -n128 --ntasks-per-node=8 python scripts/training/run_recipe.py --recipe=glm_45v_sft_128gpu_h100_bf16_config 
