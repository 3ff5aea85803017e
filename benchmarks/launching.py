"""The lines of a made script that start its work."""

from __future__ import annotations

from benchmarks import words
from benchmarks.draft import Draft

_LAUNCHERS = {
    "torch.distributed.run": [
        "python -u -m torch.distributed.run",
        "--nproc_per_node $GPUS_PER_NODE --nnodes $NNODES",
        "--rdzv_endpoint $MASTER_ADDR:$MASTER_PORT --rdzv_backend c10d",
    ],
    "torch.distributed.launch": [
        "python -m torch.distributed.launch",
        "--nproc_per_node=$GPUS_PER_NODE --nnodes=$NNODES --node_rank={rank}",
        "--master_addr=$MASTER_ADDR --master_port=$MASTER_PORT",
    ],
    "torchrun": [
        "torchrun",
        "--nproc-per-node 8 --nnodes $SLURM_NNODES",
        "--rdzv-id $SLURM_JOB_ID --rdzv-backend c10d --rdzv-endpoint $MASTER_ADDR:$MASTER_PORT",
    ],
    "accelerate": [
        "accelerate launch",
        "--num_processes $((NNODES * 8)) --num_machines $NNODES --main_process_ip $MASTER_ADDR",
    ],
}


def launch(draft: Draft) -> list[str]:
    """Return the lines that start the work, the last of the script but for its end."""
    lines = []
    program = _program(draft)
    if draft.has("command_in_variable"):
        lines += _kept(draft, program)
        program = ["$CMD"]
    srun, before = _srun(draft)
    return [*lines, *before, *_started(draft, srun, program), *_end(draft)]


def _program(draft: Draft) -> list[str]:
    """Return the command in pieces, one a line."""
    count = min(draft.length // 8, 24)
    if not draft.training:
        start = [f"python {draft.one(words.PROGRAMS)}"]
        return [*start, *draft.options(min(count, 8)), *_strings(draft)]
    for name, launcher in _LAUNCHERS.items():
        if draft.has(name):
            in_task = draft.has("srun_bash_c_single") and not draft.has("command_in_variable")
            launcher = [
                piece.replace("{rank}", "$SLURM_PROCID" if in_task else r"\$SLURM_PROCID")
                for piece in launcher
            ]
            return [*launcher, draft.one(words.PROGRAMS), *_arguments(draft, count)]
    if draft.has("ray"):
        return ["ray start --address $MASTER_ADDR:6379 --block"]
    return [f"python -u {draft.one(words.PROGRAMS)}", *_arguments(draft, count)]


def _arguments(draft: Draft, count: int) -> list[str]:
    options = [*draft.options(count), *_strings(draft)]
    return (
        [*options, '"${MODEL_ARGS[@]}"']
        if draft.has("array") and not draft.has("command_in_variable")
        else options
    )


def _strings(draft: Draft) -> list[str]:
    """Return the variables of options that long scripts build up."""
    return [f"${name}" for name in words.ARGUMENTS[: draft.length // 40]]


def _kept(draft: Draft, program: list[str]) -> list[str]:
    """Return the assignments that keep *program* in a variable, in two steps where it is long."""
    if len(program) < 6:
        return [f'CMD="{" ".join(program)}"']
    options = [f"    {option} \\" for option in program[4:]]
    kept = ['GPT_ARGS=" \\', *options, '    "', 'export LAUNCHER="' + " ".join(program[:3]) + '"']
    return [*kept, f'export CMD="$LAUNCHER {program[3]} $GPT_ARGS"', "echo $CMD"]


def _srun(draft: Draft) -> tuple[str, list[str]]:
    """Return how srun is called, and the lines that it needs before."""
    options = []
    if draft.has("cpus_per_task") or draft.likely(0.2):
        options.append(draft.one(("--label", "--kill-on-bad-exit=1", "--wait=60", "--ntasks-per-node=1")))
    if draft.has("pyxis"):
        image = draft.one(words.IMAGES)
        options += [f"--container-image={image}", f"--container-mounts={draft.path()}:/data"]
    if draft.has("srun_in_variable"):
        return "$SRUN_CMD", [f'SRUN_CMD="{" ".join(["srun", *options])}"']
    if draft.has("srun_options_in_variable"):
        return "srun $SRUN_ARGS", [f'SRUN_ARGS="{" ".join(options or ["--label"])}"']
    return " ".join(["srun", *options]), []


def _started(draft: Draft, srun: str, program: list[str]) -> list[str]:
    pipe = " 2>&1 | tee $LOGS_PATH/main_log.txt" if draft.has("tee_without_pipefail") else ""
    if draft.has("time"):
        srun = f"time {srun}"
    lines = []
    if draft.has("srun_bash_c_double"):
        lines.append(f'{srun} bash -c "{" ".join(program)}"{pipe}')
    if draft.has("srun_bash_c_single"):
        command = " ".join(part for part in program if "'" not in part)
        lines.append(f"{srun} bash -c '{command}'{pipe}")
    if lines:
        return lines
    if draft.has("mpirun"):
        srun = "mpirun -np 16 --bind-to none"
    elif not (draft.has("srun") if draft.training else draft.likely(0.5)):
        srun = ""
    return continued([f"{srun} {program[0]}".strip(), *program[1:]], pipe)


def continued(pieces: list[str], last: str = "") -> list[str]:
    """Return one command over as many lines as it has *pieces*, with *last* behind it."""
    head, *more = pieces
    if not more:
        return [head + last]
    return [f"{head} \\", *(f"    {piece} \\" for piece in more[:-1]), f"    {more[-1]}{last}"]


def _end(draft: Draft) -> list[str]:
    if draft.has("echo_at_the_end"):
        return ["", 'echo "END TIME: $(date)"']
    return []
