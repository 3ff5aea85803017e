#!/bin/bash
#SBATCH -N 8
#SBATCH --ntasks-per-node=8
GPT_ARGS="
    --num-layers 24
    --hidden-size 1024
"
OPTS=(
    --tensor-model-parallel-size "${TP:=4}"   # TP
    --pipeline-model-parallel-size ${PP:-2}   # PP
)
run_cmd="cd $DIR && python -u pretrain.py ${GPT_ARGS} ${OPTS[*]}"
srun -l --output=logs/%x_%j.log --error=logs/%x_%j.err sh -c "${run_cmd}"
srun --mpi=pmix \
     --cpu-bind=none \
     bash -c 'export LOCAL_RANK=$SLURM_LOCALID; exec "$@"' _ \
     python train.py "${OPTS[@]}" &
pid=$!
trap 'kill -TERM "$pid"; wait "$pid"' TERM INT
wait "$pid"
