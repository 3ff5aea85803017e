# Steps, wrappers and launchers.

#### srun with options
srun --nodes=1 --ntasks=2 python train.py --x 1
srun -N1 -n2 --mpi=pmix python a
srun -N 1 -n 2 python b
srun --nodes 1 --ntasks 2 python c

#### srun in a variable
SRUN="srun --nodes=1 --label"
$SRUN python a
SRUN_ARGS="--export=ALL --kill-on-bad-exit"
srun $SRUN_ARGS python b "$SRUN_ARGS"

#### srun options in an array
OPTS=(--nodes=1 --container-image="my image.sqsh")
OPTS+=(--container-mounts=/a:/a,/b:/b)
srun "${OPTS[@]}" python train.py

#### container options under a condition
IMAGE=/images/x.sqsh
MOUNTS=
srun ${IMAGE:+--container-image=$IMAGE} ${MOUNTS:+--container-mounts=$MOUNTS} python train.py

#### wrappers before the program
srun numactl --interleave=all python a
srun uv run python b
srun env A=1 python c
numactl -N 0 python d

#### torchrun and its options
GPUS=8
torchrun --nproc_per_node=$GPUS --nnodes $SLURM_NNODES train.py --lr 1e-4
srun torchrun --nproc-per-node=8 --rdzv-endpoint="$HOSTX:29500" train.py
python -m torch.distributed.run --nproc_per_node 8 train.py

#### accelerate and deepspeed
accelerate launch --num_processes 8 train.py --a b
deepspeed --num_gpus=8 train.py --deepspeed ds.json

#### mpirun
mpirun -np 4 python train.py
mpirun -n 2 bash -c 'python "$A"'

#### modules and code
python -m package.train --x 1
python -c "print('a b')" arg
python3 -u train.py

#### steps with the environment of the script
export NCCL_DEBUG=INFO
OMP_NUM_THREADS=4
export OMP_NUM_THREADS
CUDA_DEVICE_MAX_CONNECTIONS=1 srun python train.py
srun python again.py

#### several steps, some in the background
srun -n1 python server.py &
srun -n1 python client.py
wait
srun -n1 python end.py

#### a launch in a function with defaults
launch() { local nodes=${2:-1}; srun --nodes=$nodes $1; }
launch "python a.py"
launch "python b.py" 1

#### megatron style arguments
MODEL_ARGS="
    --num-layers 32 \
    --hidden-size 4096
"
DATA_ARGS="--data-path $DATA --split 949,50,1"
srun python pretrain.py $MODEL_ARGS $DATA_ARGS --distributed-backend nccl

#### hydra overrides
NODES=2
srun python train.py trainer.num_nodes=$NODES trainer.devices=8 ++model.tp=4 'exp.name=a b' model.list="[1,2]"

#### a multi-line command with comments between
ARGS=(
  --a
  # --disabled
  --b
)
srun \
  --nodes=1 \
  python train.py \
    "${ARGS[@]}"

#### a bash wrapper script written for each task
cat > task.sh <<'EOF'
#!/bin/bash
export RANK=$SLURM_PROCID
python worker.py --rank "$RANK" "$@"
EOF
srun bash task.sh --x "a b"

#### apptainer
apptainer exec --nv -B /a:/a image.sif python train.py --x
srun apptainer exec image.sif bash -c 'python "in"'

#### everything at once
set -euo pipefail
NAME=${1:-exp}
BASE=/work
OUT=$BASE/$NAME
mkdir -p out
OPTS=()
for kv in lr=0.1 wd=0.01; do OPTS+=("--${kv%%=*}" "${kv#*=}"); done
CMD="python train.py --out $OUT ${OPTS[*]}"
if [[ ${DEBUG:-0} == 1 ]]; then CMD="$CMD --debug"; fi
srun --output="$OUT/%j.log" bash -c "export A=1; $CMD"

#### job size
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
WORLD=$((SLURM_NNODES * SLURM_NTASKS_PER_NODE))
srun python train.py --world $WORLD --nodes "$SLURM_JOB_NUM_NODES"

#### rank from the batch host
python --rank $SLURM_PROCID
srun python --rank $SLURM_PROCID

#### nested quotes through three levels
srun bash -c "bash -c \"python '\$SLURM_PROCID' \\\"a b\\\"\""

#### an option that is one of two
if [ "$REMAP" = 1 ]; then F=--container-remap-root; else F=--no-container-remap-root; fi
srun $F python a
srun "$F" python b
python "$F"

#### an option that may be missing
if [ "$QUIET" = 1 ]; then F=; else F=--label; fi
srun $F python a
srun ${EXTRA} python b

#### options of two lengths
if [ "$SMALL" = 1 ]; then F=-n1; else F="-N 1 -n 2"; fi
srun $F python a

#### a launcher that is one of two
if [ "$SINGLE" = 1 ]; then L=python; else L="torchrun --nproc_per_node 8"; fi
srun $L train.py --x
$L train.py --y

#### a launcher of one word or another
if [ "$SINGLE" = 1 ]; then L=python; else L=torchrun; fi
srun $L train.py --x
"$L" train.py --y

#### two spellings of one interpreter
if [ "$OLD" = 1 ]; then L=python; else L=python3; fi
srun $L train.py --x

#### a wrapper that may be missing
if [ "$BIND" = 1 ]; then W="numactl -N 0"; else W=; fi
srun $W python train.py
$W python eval.py

#### an environment that may be missing
if command -v somewhere > /dev/null; then W="uv run python"; else W="python"; fi
if [ "$U" = 1 ]; then W="uv run python"; else W="python"; fi
srun $W train.py

#### srun that may be missing
if [ "$ALONE" = 1 ]; then R=; else R=srun; fi
$R python train.py

#### srun with options or without
if [ "$PMI" = 1 ]; then R="srun --mpi=pmix"; else R="srun"; fi
$R python train.py

#### a dry run
if [ "$DRY" = 1 ]; then D=echo; else D=; fi
$D srun python train.py

#### srun or mpirun
if [ "$M" = 1 ]; then R="srun -n1"; else R="mpirun -np 4"; fi
$R python train.py

#### options and program in one choice
if [ "$M" = 1 ]; then R="-n1 python"; else R="--label torchrun"; fi
srun $R train.py

#### the same choice twice
if [ "$M" = 1 ]; then R=python; else R="torchrun --standalone"; fi
srun $R a.py && $R b.py

#### for each of many inputs
printf '%s\n' a b | xargs -n1 python x.py
printf '%s\n' a b | xargs -I{} srun -n1 python y.py --file={}
xargs -a nothing python z.py || true
