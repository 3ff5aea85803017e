"""SB315 gpus-per-task-isolation."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    FrameworkName,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    Unknown,
    gpus_per_task,
    recognise,
    regex,
)

_NARROW = regex(r"(?:verbose,)?(?:single(?::1)?|per_task(?::1)?|closest)$")
_LOCAL = regex(r"(?i)distributed|ddp|fsdp|nccl")
_MEGATRON = (FrameworkName.MEGATRON_BRIDGE, FrameworkName.MEGATRON_LM)
_OWN_MAPPING = "external_gpu_device_mapping"


class GpusPerTaskIsolation(Rule):
    """Each task sees one GPU only, and the program takes the GPU of its local rank.

    ## Why
    `--gpus-per-task=1` and `--gpu-bind=single:1` hide the other GPUs of the node from each task: its own is
    number 0 everywhere.  A program that calls `set_device(local_rank)` fails in all tasks but the first of
    each node ("CUDA error: invalid device ordinal"), and NCCL may lose the direct way between GPUs of a node
    that can't see each other.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-task=1  # finding here
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
    export WORLD_SIZE=$SLURM_NTASKS
    srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python pretrain_gpt.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))
    export WORLD_SIZE=$SLURM_NTASKS
    srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python pretrain_gpt.py'
    ```

    ## What it can't know
    How a program picks its device.  Megatron's scripts are known to take that of the local rank; others that
    are given `LOCAL_RANK` or are called distributed are reported with less confidence.  Nothing is reported
    for `--gpu-bind=none` and for `dist.external_gpu_device_mapping=true`.

    ## References
    - srun(1), `--gpus-per-task`: it implies `--gpu-bind=per_task`
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/initialize.py
    - https://github.com/ACEsuit/mace/issues/435
    """

    code = "SB315"
    name = "gpus-per-task-isolation"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            tasks = step.geometry.tasks_per_node
            cause = _isolated_by(job, step)
            if cause is None or tasks is None or tasks.value < 2 or cause[0] in seen:
                continue
            span, option = cause
            program, confidence = _taken_by_rank(step)
            if program is None:
                continue
            seen.add(span)
            place = program.target_span or step.span
            doubtful = step.conditional or program.conditional
            yield self.finding(
                span,
                f"each task sees one GPU, and {program.name} takes that of its local rank",
                label="hides the other GPUs of the node from each task",
                related=[Related(place, f"local ranks 0 to {tasks.value - 1}")] if place != span else [],
                help=f"ask for them by node (--gpus-per-node={tasks.value}), or add --gpu-bind=none to srun",
                notes=[f"{option} gives each task a GPU of its own, which it sees as number 0"],
                confidence=Confidence.MEDIUM if doubtful else confidence,
            )


def _isolated_by(job: Job, step: Step) -> tuple[Span, str] | None:
    """The option by which each task of *step* sees one GPU; None where it sees more."""
    bind = step.effective("gpu-bind")
    directive = job.request.get("gpu-bind")
    if bind is not None:
        text = bind.value.text if bind.value is not None else None
        narrow = text is not None and bind.certain and _NARROW.match(text) is not None
        return (bind.arg.place or step.span, "--gpu-bind") if narrow else None
    if directive is not None:
        narrow = _NARROW.match(directive.value or "") is not None
        return (directive.span, "--gpu-bind") if narrow and directive.span is not None else None
    if not step.options_complete or gpus_per_task(job, step) != 1:
        return None
    own, asked = step.get("gpus-per-task"), job.request.get("gpus-per-task")
    if own is not None:
        return own.arg.place or step.span, "--gpus-per-task"
    return (asked.span, "--gpus-per-task") if asked is not None and asked.span is not None else None


def _taken_by_rank(step: Step) -> tuple[Program | None, Confidence]:
    """A program of *step* that takes the device of its local rank, and how sure that is."""
    guess: Program | None = None
    for program in step.programs:
        if program.launchers or "CUDA_VISIBLE_DEVICES" in program.environment:
            continue
        words = " ".join(word.value.show() for word in (*program.words, *program.arguments))
        if _OWN_MAPPING in words:
            continue
        framework = recognise(program)
        native = framework.name is not FrameworkName.MEGATRON_BRIDGE or framework.is_native_bridge
        if framework.name in _MEGATRON and framework.by_script and native:
            return program, Confidence.HIGH
        if guess is None and (_LOCAL.search(words) or _by_local_id(program)):
            guess = program
    return guess, Confidence.LOW


def _by_local_id(program: Program) -> bool:
    """Tell whether LOCAL_RANK is set from Slurm's number of the task on its node."""
    value = program.environment.get("LOCAL_RANK")
    leaves = list(value.leaves()) if value is not None else []
    return any(isinstance(leaf, Unknown) and leaf.name == "$SLURM_LOCALID" for leaf in leaves)
