"""SB301: torchrun, accelerate and their like under several tasks a node."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    TASK_COUNTS,
    Certainty,
    Crowd,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Layer,
    LayerOption,
    OptionUse,
    Processes,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    Text,
    Use,
    command_name,
    dataclass,
    gpus_per_task,
    most_tasks_on_a_node,
    per_node_launchers,
    processes_of,
    reads_task_count,
    starts_by_slots,
    whole_number,
)

_PER_TASK_GPUS = ("gpus-per-task", "ntasks-per-gpu", "tres-per-task", "gpus-per-socket")
_MOST_GPUS = 16
"""No node has more."""


@dataclass(frozen=True)
class _Case:
    """A step in which a per-node launcher is started several times on a node."""

    step: Step
    program: Program
    layer: Layer
    crowd: Crowd
    processes: Processes


class TorchrunTasksPerNode(Rule):
    """A launcher that starts a process per GPU is itself started several times on each node.

    ## Why
    torchrun, `python -m torch.distributed.run` and `accelerate launch` start the processes of a whole node.
    Slurm starts the step's command once for every task, so with `--ntasks-per-node=8` eight of them run on
    each node: 64 processes for 8 GPUs.  They run out of GPU memory ("CUDA out of memory"), meet at the same
    port ("EADDRINUSE", "Duplicate GPU detected"), or train eight times side by side without a word and
    overwrite each other's checkpoints.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8  # finding here
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    CMD="torchrun --nnodes=2 --nproc_per_node=8"
    CMD="$CMD --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$HEAD:29400 train.py"
    srun bash -c "$CMD"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    CMD="torchrun --nnodes=2 --nproc_per_node=8"
    CMD="$CMD --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$HEAD:29400 train.py"
    srun bash -c "$CMD"
    ```

    The number of processes may itself hang on the number of tasks.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=4  # finding here
    #SBATCH --gres=gpu:4
    srun torchrun --standalone --nproc_per_node=$SLURM_NTASKS_PER_NODE train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gres=gpu:4
    srun torchrun --standalone --nproc_per_node=4 train.py
    ```

    Without a number of tasks per node, some node gets two of four tasks on two nodes.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks=4  # finding here
    #SBATCH --gres=gpu:2
    srun accelerate launch --config_file two.yaml --num_machines 2 --num_processes 4 train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gres=gpu:2
    srun accelerate launch --config_file two.yaml --num_machines 2 --num_processes 4 train.py
    ```

    ## Fix
    One task per node, where nothing else in the script uses the number of tasks and the GPUs are asked for
    by node.  CPUs are given by task: multiply `--cpus-per-task` yourself if the node is shared.

    ## What it can't know
    Several launchers on a node can be meant, each with its share of the GPUs: nothing is reported while their
    processes together are no more than the GPUs of the node, or than those of the tasks, nor for launchers
    of a single process.  Where the number of GPUs is not told, launchers that are told to be as many as the
    tasks are taken to share them.

    ## References
    - torch/distributed/run.py, `--nproc-per-node`
    - accelerate/utils/launch.py, `num_processes // num_machines`
    - https://github.com/NVIDIA/Megatron-LM/issues/1371
    - srun(1), `--ntasks-per-node`
    """

    code = "SB301"
    name = "torchrun-tasks-per-node"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: dict[Span, list[_Case]] = {}
        for step in job.plan.steps:
            case = _crowded(job, step)
            if case is not None:
                seen.setdefault(_place(case), []).append(case)
        for place, cases in sorted(seen.items()):
            yield self._report(job, place, cases)

    def _report(self, job: Job, place: Span, cases: list[_Case]) -> Finding:
        first = cases[0]
        name, number = command_name(first.program, first.layer), first.crowd.number
        where = "on each node" if first.crowd.even else "on some node"
        related = [Related(case.step.span, _effect(case)) for case in cases if case.step.span != place]
        launcher = first.layer.span
        if launcher is not None and not _same_line(job, launcher, place, first.step.span):
            related.append(Related(launcher, f"{name} is written here"))
        fix = _fix(job, cases)
        return self.finding(
            place,
            f"{name} is started {number} times {where}",
            label=(
                f"Slurm starts the step's command {number} times {where}"
                if first.step.span != place
                else _effect(first)
            ),
            related=related,
            help=_help(job, first, fix),
            fix=fix,
            severity=Severity.ERROR if all(_is_certain(case) for case in cases) else Severity.WARNING,
        )


def _crowded(job: Job, step: Step) -> _Case | None:
    """The first launcher of *step* of which too many are started on a node."""
    crowd = most_tasks_on_a_node(step.geometry)
    if crowd is None or crowd.number < 2:
        return None
    for program, layer in per_node_launchers(step):
        case = _Case(step, program, layer, crowd, processes_of(layer))
        if _too_many(job, case):
            return case
    return None


def _too_many(job: Job, case: _Case) -> bool:
    step, number = case.step, case.processes.number
    if number is None:
        if step.get("gpus-per-task") is not None:
            return False
        return case.processes.all_gpus or case.processes.option is not None
    if number < 2:
        return False
    gpus = step.geometry.gpus_per_node
    if gpus is not None:
        return case.crowd.number * number > gpus.value
    return not _may_share(job, case, number)


def _may_share(job: Job, case: _Case, number: int) -> bool:
    """Whether the launchers of a node may each have *number* GPUs, where the GPUs of a node are not known."""
    if _gpus_by_task(job, case.step):
        each = gpus_per_task(job, case.step)
        return each is None or number <= each
    tasks, total = case.step.geometry.tasks, job.request.gpus
    if tasks is None:
        return False
    if total is not None and case.step.get("gpus") is None and tasks.value * number <= total.value:
        return True
    return _nodes_told(case.layer) == tasks.value and case.crowd.number * number <= _MOST_GPUS


def _nodes_told(layer: Layer) -> int | None:
    """How many launchers the launcher is told of: as many as tasks where each task is meant to be one."""
    option = layer.get("nnodes", "num-machines")
    text = option.value.text if option is not None and option.value is not None else None
    return whole_number(text or "")


def _is_certain(case: _Case) -> bool:
    gpus = case.step.geometry.gpus_per_node
    grades = [case.crowd.certainty, case.processes.certainty]
    grades.append(Certainty.UNKNOWN if gpus is None else gpus.certainty)
    if case.step.doubtful or case.program.assumed:
        return False
    return max(grades) is Certainty.KNOWN


def _place(case: _Case) -> Span:
    """The directive that asks for so many tasks, or the srun that does."""
    decided = case.crowd.decided_by
    if isinstance(decided, OptionUse) and decided.span is not None:
        return decided.span
    return case.step.span


def _effect(case: _Case) -> str:
    name, count = command_name(case.program, case.layer), case.processes.number
    option = case.processes.option
    if count is None:
        return f"each of them runs {name} for all GPUs of the node"
    written = f"{name} {_shown(option)}" if option is not None else name
    total = f"{case.crowd.number * count} processes"
    gpus = case.step.geometry.gpus_per_node
    return f"each of them runs {written}: {total}" + (f" for {gpus.value} GPUs" if gpus else "")


def _shown(option: LayerOption) -> str:
    name = (option.arg.value.text or f"--{option.name}").partition("=")[0]
    value = option.value.show() if option.value is not None else ""
    return f"{name}={value}"


def _same_line(job: Job, span: Span, *others: Span) -> bool:
    lines = {job.source.position(other.start).line for other in others}
    return job.source.position(span.start).line in lines


def _help(job: Job, case: _Case, fix: Fix | None) -> str:
    if _gpus_by_task(job, case.step):
        return "ask for the GPUs by node (--gpus-per-node) and set --ntasks-per-node=1"
    advice = "set --ntasks-per-node=1"
    cpus = job.request.get("cpus-per-task")
    if cpus is not None and (cpus.value or "").isdigit() and not job.request.exclusive and case.crowd.even:
        advice += f"; the launcher then gets --cpus-per-task={cpus.value} CPUs: "
        advice += f"multiply them by {case.crowd.number}"
    return advice


def _gpus_by_task(job: Job, step: Step) -> bool:
    return any(job.request.get(name) is not None or step.get(name) is not None for name in _PER_TASK_GPUS)


# --- the fix ---------------------------------------------------------------------------------------


def _fix(job: Job, cases: list[_Case]) -> Fix | None:
    decided = cases[0].crowd.decided_by
    if any(_gpus_by_task(job, case.step) for case in cases):
        return None
    if isinstance(decided, OptionUse):
        return _directive_fix(job, cases, decided)
    if isinstance(decided, Use) and len(cases) == 1:
        return _srun_fix(job, cases[0], decided)
    return None


def _directive_fix(job: Job, cases: list[_Case], decided: OptionUse) -> Fix | None:
    if decided.span is None or decided.value_span is None:
        return None
    if job.request.get("nodes") is None and job.request.get("ntasks") is not None:
        return None  # one task a node would ask for as many nodes as tasks
    edits = [_directive_edit(decided)]
    counted: list[Span] = []
    for case in cases:
        edit = _counted_option(job, case)
        if edit is not None and edit not in edits:
            edits.append(edit)
            counted.append(edit.span)
    title = "start one task on each node"
    alone = all(_same_place(step, cases) for step in job.plan.steps) and not job.plan.incomplete
    alone = alone and not starts_by_slots(job)
    if alone and _sized_by_nodes(job) and not reads_task_count(job, *counted):
        return Fix.safe(title, *edits)
    return Fix.unsafe(title, *edits)


def _sized_by_nodes(job: Job) -> bool:
    """Tell whether fewer tasks leave the nodes and their memory as they are."""
    request = job.request
    return request.get("nodes") is not None and request.get("mem-per-cpu") is None and not request.hetjob


def _directive_edit(decided: OptionUse) -> Edit:
    if decided.spec.long == "ntasks-per-node" and decided.value_span is not None:
        return Edit(decided.value_span, "1")
    assert decided.span is not None
    return Edit(decided.span, "--ntasks-per-node=1")


def _counted_option(job: Job, case: _Case) -> Edit | None:
    """Write the number itself where the launcher's count is taken from the number of tasks."""
    option = case.processes.option
    if option is None or option.value is None or case.processes.number is None:
        return None
    segment, *others = option.value.segments
    if others or not isinstance(segment, Text) or segment.span is None:
        return None
    written = job.source.slice(segment.span)
    counts_tasks = written.startswith("$") and TASK_COUNTS.search(written)
    return Edit(segment.span, str(case.processes.number)) if counts_tasks else None


def _same_place(step: Step, cases: list[_Case]) -> bool:
    """Tell whether *step* is one of the cases, or has a number of tasks of its own."""
    if any(case.step is step for case in cases):
        return True
    geometry = step.geometry
    return any(isinstance(decided, Use) for decided in (geometry.tasks_from, geometry.tasks_per_node_from))


def _srun_fix(job: Job, case: _Case, decided: Use) -> Fix | None:
    """Change the number on the srun line itself, where it is written there in plain digits."""
    option = case.step.get(decided.spec.long)
    if option is None or option.value is None or decided.spec.long not in ("ntasks", "ntasks-per-node"):
        return None
    span, text, word = option.value.span, option.value.text, option.value_arg or option.arg
    if span is None or text is None or job.source.slice(span) != text:
        return None
    if word.span is None or span not in word.span:
        return None  # the number of a variable, which may count something else as well
    nodes = case.step.geometry.nodes
    if decided.spec.long == "ntasks-per-node":
        number = 1
    elif nodes is not None and nodes.certainty is Certainty.KNOWN:
        number = nodes.value
    else:
        return None
    title = "start one task on each node"
    if reads_task_count(job):
        return Fix.unsafe(title, Edit(span, str(number)))
    return Fix.safe(title, Edit(span, str(number)))
