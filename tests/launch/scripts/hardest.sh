# The hardest things that batch scripts do.  The plan must know every word of each of them.

#### a command grown in a loop over mounts
#SBATCH --nodes=2
MOUNTS="/lustre/data:/data /scratch/runs:/runs:ro"
CMD="srun --nodes=2"
sep="--container-mounts="
for m in $MOUNTS; do
  CMD+="$([ "$sep" = , ] || echo " ")$sep$m"
  sep=,
done
CMD="$CMD python train.py --data /data"
$CMD

#### mounts joined by commas in an array
declare -a MOUNTS=(/lustre:/lustre)
[ -n "${EXTRA:-}" ] && MOUNTS+=("$EXTRA")
for d in data ckpt; do MOUNTS+=("/scratch/$d:/$d"); done
joined=$(IFS=,; echo "${MOUNTS[*]}")
srun --container-image=/img/a.sqsh --container-mounts="$joined" python train.py

#### an option that is only there when its value is
IMAGE=/images/x.sqsh
MOUNTS=
WORKDIR=/work
srun ${IMAGE:+--container-image=$IMAGE} ${MOUNTS:+--container-mounts="$MOUNTS"} \
  ${WORKDIR:+--container-workdir="$WORKDIR"} python train.py

#### options in arrays, one in another
DISTRIBUTED=(--nproc_per_node 8 --nnodes 2)
MODEL=(
  --num-layers 24      # comment
  --hidden-size 1024
)
TRAIN=("${MODEL[@]}" --lr "1e-4" --name "run one")
[[ ${#TRAIN[@]} -gt 4 ]] && TRAIN+=(--bf16)
srun torchrun "${DISTRIBUTED[@]}" train.py "${TRAIN[@]}"

#### srun in a variable, its options in another
SRUN_ARGS="--wait=60 --kill-on-bad-exit=1"
LAUNCHER="srun $SRUN_ARGS --label"
PYTHON="python -u"
clear; echo starting
$LAUNCHER $PYTHON train.py --a 1

#### a here-document to srun bash
#SBATCH --nodes=2
LR=1e-4
srun --nodes=2 bash <<EOF
export MODE=train
python train.py --lr $LR --mode \$MODE
EOF
srun --nodes=1 bash -s -- one "two words" <<'EOF'
python eval.py "$1" "$2" "$#"
EOF

#### a script written by cat and then run
SEQ=2048
cat > run_inner.sh <<EOF
#!/bin/bash
export SEQ=$SEQ
RANK_ARG="--rank \$SLURM_PROCID"
exec python train.py --seq \$SEQ \$RANK_ARG "\$@"
EOF
chmod +x run_inner.sh
srun ./run_inner.sh --extra "a b"

#### a script put together from several pieces
{
  echo '#!/bin/bash'
  echo "cd ${OUT:-.}"
  printf 'python %s --n %d\n' train.py 4
} > pieces.sh
echo 'python eval.py "$@"' >> pieces.sh
srun bash pieces.sh last

#### eval of a command with quotes in it
ARGS="--name 'my run' --tag \"x y\""
CMD="srun python train.py $ARGS"
eval "$CMD"
eval $CMD --more

#### getopts and what it leaves
set -- -n 4 -v -m big data.bin rest
NODES=1 VERBOSE=0
while getopts "n:m:vh" opt; do
  case $opt in
    n) NODES=$OPTARG ;;
    m) MODEL=$OPTARG ;;
    v) VERBOSE=1 ;;
    h) echo usage; exit 0 ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
srun --nodes=$NODES python train.py --model "$MODEL" --verbose $VERBOSE "$@"

#### long options parsed by hand
set -- --nodes=2 --model big --dry-run -- --lr 1e-3
EXTRA=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --nodes=*) NODES="${1#*=}"; shift ;;
    --model) MODEL="$2"; shift 2 ;;
    --dry-run) DRY=1; shift ;;
    --) shift; EXTRA=("$@"); break ;;
    *) exit 1 ;;
  esac
done
srun --nodes=$NODES python train.py "$MODEL" ${DRY:+--dry-run} "${EXTRA[@]}"

#### quotes in quotes in quotes
NAME="a b"
srun bash -c "bash -c \"python train.py --name '$NAME' --rank \\\$SLURM_PROCID --q \\\"x\\\"\""

#### functions that print the options
model_args() { echo "--layers $1 --hidden $(( $1 * 64 ))"; }
parallel_args() {
  local tp=${1:-1} pp=${2:-1}
  printf -- '--tp %d --pp %d' "$tp" "$pp"
}
srun python train.py $(model_args 24) $(parallel_args 4)

#### a function that launches, called by its name in a variable
launch_small() { srun --nodes=1 python train.py --size small "$@"; }
launch_large() { srun --nodes=2 python train.py --size large "$@"; }
for MODE in small large; do
  "launch_$MODE" --mode "$MODE"
done

#### a wrapper function that passes everything on
run() { echo "+ $*"; "$@"; }
in_container() { run srun --container-image="$IMAGE" "$@"; }
IMAGE="my image.sqsh"
in_container bash -c 'python train.py "$@"' _ "a b" c

#### a model chosen from a table
declare -A LAYERS=([7b]=32 [70b]=80) TP=([7b]=1 [70b]=8)
SIZE=70b
GPUS=$((8 * ${SLURM_NNODES:-1}))
srun python train.py --layers ${LAYERS[$SIZE]} --tp ${TP[$SIZE]} --dp $((GPUS / TP[$SIZE]))

#### sizes worked out by cases
#SBATCH --nodes=4
MODEL=mixtral-8x7b
case "$MODEL" in
  llama*) TP=8; EP=1 ;;
  mixtral*|*moe*) TP=2; digits=${MODEL//[^0-9]/}; EP=$(( ${digits:0:1} > 4 ? ${digits:0:1} : 4 )) ;;
  *) exit 1 ;;
esac
WORLD=$((SLURM_NNODES * 8))
srun python train.py --tp $TP --ep $EP --dp $((WORLD / TP)) --gbs $((WORLD / TP * 16))

#### a command read from a here-document into a variable
LR=3e-4
read -r -d '' CMD <<EOF
python train.py \
  --lr $LR \
  --out "my dir"
EOF
srun bash -c "$CMD"

#### a command from a substitution of a here-document
TAG=v1
CMD=$(cat <<EOF
echo starting && export TAG=$TAG && \
python train.py --tag \$TAG
EOF
)
srun bash -c "${CMD}"

#### arguments quoted for another shell
ARGS=(--name "it's me" --path '/a b' --json '{"k": [1, 2]}')
printf -v QUOTED '%q ' "${ARGS[@]}"
srun bash -c "python train.py $QUOTED"

#### an array job's line of parameters
PARAMS="1e-3 16 small
1e-4 32 large"
SLURM_ARRAY_TASK_ID=1
i=0
while read -r lr bs size; do
  if [ "$i" -eq "$SLURM_ARRAY_TASK_ID" ]; then
    srun python train.py --lr "$lr" --bs "$bs" --size "$size"
  fi
  i=$((i + 1))
done <<< "$PARAMS"

#### indirection and names put together
GPT_ARGS="--layers 12"
BERT_ARGS="--layers 24"
for kind in GPT BERT; do
  name="${kind}_ARGS"
  srun python train.py --kind "${kind,,}" ${!name}
done

#### a step for each node in the background
#SBATCH --nodes=2
nodes_array=(node1 node2)
head_node=${nodes_array[0]}
for ((i = 0; i < ${#nodes_array[@]}; i++)); do
  srun --nodes=1 --ntasks=1 -w "${nodes_array[i]}" python worker.py --head "$head_node" --id $i &
done
wait
srun --nodes=1 --ntasks=1 python driver.py

#### the environment given on the line, in a subshell
COMMON="NCCL_DEBUG=INFO OMP_NUM_THREADS=8"
(
  export STAGE=one
  env $COMMON LR=1 srun --nodes=1 python train.py "$STAGE"
)
STAGE=two srun python train.py "${STAGE:-unset}"

#### names taken from paths
for config in conf/gpt/small.yaml conf/gpt/large.v2.yaml; do
  base=${config##*/}
  name=${base%.yaml}
  stem=${name%%.*}
  dir=$(dirname "$config")
  srun python train.py --config-path "$dir" --config-name "$name" --out "runs/${dir//\//_}/$stem"
done

#### the positional parameters as a list that grows
set -- python train.py
set -- "$@" --lr "1e-4"
if [ "${WANDB:-0}" = 1 ]; then set -- "$@" --wandb; fi
set -- srun --nodes=1 "$@"
"$@"

#### options under conditions, quoted and unquoted
MIXED=bf16 OFFLOAD=false ZERO=3
ARGS="--zero $ZERO"
[[ $MIXED == bf16 ]] && ARGS="$ARGS --bf16" || ARGS="$ARGS --fp16"
if $OFFLOAD; then ARGS+=" --offload"; fi
(( ZERO == 3 )) && ARGS+=" --stage3"
test "$ZERO" -lt 3 || ARGS+=" --gather"
srun python train.py $ARGS

#### a launcher that runs a script that the script has written with tee
tee wrapper.sh > /dev/null <<'EOF'
#!/bin/bash
export LOCAL=$SLURM_LOCALID
"$@" --local "$LOCAL"
EOF
chmod 755 wrapper.sh
srun ./wrapper.sh python train.py --lr 1

#### several commands in one string with redirections
LOG=logs
srun sh -c "mkdir -p $LOG; cd . && python prepare.py > /dev/null 2>&1; OMP_NUM_THREADS=4 python train.py --log $LOG | cat"
