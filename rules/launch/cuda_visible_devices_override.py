"""SB335 cuda-visible-devices-override."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Sharing,
    Span,
    Step,
    VariableSetting,
    dataclass,
    is_small,
    regex,
    settings_of,
    shares_nodes,
    whole_number,
)

_NAME = "CUDA_VISIBLE_DEVICES"
_USE = regex(r"\$\{?" + _NAME)


@dataclass(frozen=True)
class _Case:
    setting: VariableSetting | None
    """None where it is set for one command alone; of another name where that one holds the code of a task."""
    span: Span
    devices: tuple[int, ...]
    gpus: int
    of_gpus: tuple[Span, ...]
    tasks: int
    known: bool
    replaced: bool
    """True where srun sets the variable anew behind it."""

    @property
    def plain(self) -> bool:
        """Whether the GPUs are named in order, beginning with the first."""
        return self.devices[: self.gpus] == tuple(range(min(self.gpus, len(self.devices))))


class CudaVisibleDevicesOverride(Rule):
    """CUDA_VISIBLE_DEVICES is set by hand, over what Slurm has given the job or where srun replaces it.

    ## Why
    Slurm sets `CUDA_VISIBLE_DEVICES` to the GPUs of the job in the batch shell.  A list written in the script
    replaces it for what the shell starts itself: numbers beyond the job's GPUs are no devices at all ("no
    CUDA-capable device is detected"), and where the site does not fence the GPUs off, the job runs on those
    of its neighbour.

    srun sets the variable anew for the tasks of each step, whatever its own environment or `--export` says: a
    list that was set before srun has no effect on them.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=2
    export CUDA_VISIBLE_DEVICES=0,1,2,3  # finding here
    torchrun --standalone --nproc_per_node=2 train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=2
    # export CUDA_VISIBLE_DEVICES=0,1,2,3
    torchrun --standalone --nproc_per_node=2 train.py
    ```

    Here it is only in the way of whoever reads the script, which is an info:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=2
    #SBATCH --gpus-per-node=2
    export CUDA_VISIBLE_DEVICES=0,1  # finding here
    srun bash -c 'python train.py --device $SLURM_LOCALID'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=2
    #SBATCH --gpus-per-node=2
    # export CUDA_VISIBLE_DEVICES=0,1
    srun bash -c 'python train.py --device $SLURM_LOCALID'
    ```

    ## Fix
    The line becomes a comment, where it names at least the GPUs that the job has and nothing else reads it.

    ## What it can't know
    Whether the site fences GPUs off (`ConstrainDevices`): then a list of just the job's GPUs does no harm,
    and it is reported with little confidence.  A shorter list, and one in another order, may be meant.
    Nothing is reported for a value that differs by task (`$SLURM_LOCALID`), nor, without srun, where the
    nodes are the job's own and the list fits.

    ## References
    - sbatch(1), srun(1), OUTPUT ENVIRONMENT VARIABLES
    - gres.conf(5), cgroup.conf(5): `ConstrainDevices`
    - https://github.com/mlfoundations/open_clip/issues/614
    """

    code = "SB335"
    name = "cuda-visible-devices-override"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        started = [(step, program) for step, program in job.plan.programs() if step or _is_work(program)]
        cases = [case for step, program in started if (case := _case(job, step, program))]
        for case in sorted(cases, key=lambda case: case.replaced):
            message, confidence = _judge(job, case)
            if not message or case.span in seen:
                continue
            seen.add(case.span)
            yield self.finding(
                case.span,
                message,
                label="srun replaces it" if case.replaced else "replaces what Slurm sets",
                related=[Related(span, f"the job has {_count(case.gpus)} per node") for span in case.of_gpus],
                help="set it in the task, if it is needed: srun bash -c '...'"
                if case.replaced
                else "leave it to Slurm",
                fix=_fix(job, case),
                severity=Severity.INFO if case.replaced else Severity.WARNING,
                confidence=confidence,
            )


def _is_work(program: Program) -> bool:
    """Tell whether what the batch shell starts is more than a plain command, which has no use for a GPU."""
    by_path = bool(program.words) and "/" in (program.words[0].text or "")
    return not is_small(program) and (bool(program.layers) or by_path)


def _case(job: Job, step: Step | None, program: Program) -> _Case | None:
    value, span = program.environment.get(_NAME), program.environment_spans.get(_NAME)
    of_step = step.geometry.gpus_per_node if step is not None else None
    gpus = of_step or job.request.gpus_per_node
    text = value.text if value is not None else None
    if text is None or span is None or gpus is None or gpus.value < 1 or value is None:
        return None
    devices = tuple(number for name in text.split(",") if (number := whole_number(name.strip())) is not None)
    if len(devices) < len(text.split(",")):
        return None
    setting = next((one for one in settings_of(job) if span in one.span or one.span in span), None)
    replaced = step is not None and _is_before(step, setting, span)
    if setting is None and (step is None or span not in step.line_span):
        return None
    if step is not None and of_step is None and not replaced:
        return None
    tasks = step.geometry.tasks_per_node if step is not None else None
    conditional = setting is not None and setting.conditional
    grades = [value.certainty, gpus.certainty]
    return _Case(
        setting,
        setting.span if setting is not None and setting.name == _NAME else span,
        devices,
        gpus.value,
        gpus.spans,
        tasks.value if tasks is not None else 1,
        max(grades) is Certainty.KNOWN and not program.doubtful and not conditional,
        replaced,
    )


def _is_before(step: Step, setting: VariableSetting | None, span: Span) -> bool:
    """Tell whether srun itself is given the value, and not a shell or ``env`` of the task.

    A function's text, and a string that is code, may be run in the task though it is written before srun.
    """
    export = step.get("export")
    exported = export.value.span if export is not None and export.value is not None else None
    if exported is not None and span in exported:
        return True
    if setting is None:
        return span in step.line_span and span.end <= step.span.start
    return setting.name == _NAME and not setting.conditional and span.end <= step.span.start


def _judge(job: Job, case: _Case) -> tuple[str, Confidence]:
    beyond = [device for device in case.devices if device >= case.gpus]
    sure = Confidence.HIGH if case.known else Confidence.MEDIUM
    if case.replaced:
        return f"{_NAME} has no effect here: srun sets it anew for the tasks", sure
    if len(case.devices) > case.gpus:
        return f"{_NAME} names {len(case.devices)} GPUs, and the job has {_count(case.gpus)}", sure
    if beyond:
        # On a node that is not fenced off it can be the right number of another GPU.
        return f"{_NAME} names GPU {beyond[0]}, and the job's are 0 to {case.gpus - 1}", Confidence.MEDIUM
    if case.tasks > 1 and len(case.devices) == 1 and case.gpus > 1:
        return f"all {case.tasks} tasks of a node are given GPU {case.devices[0]}", sure
    if case.plain and len(case.devices) == case.gpus and shares_nodes(job) is not Sharing.NO:
        return f"{_NAME} is set by hand, over what Slurm has given the job", Confidence.LOW
    return "", Confidence.LOW


def _count(number: int) -> str:
    return "1 GPU" if number == 1 else f"{number} GPUs"


def _fix(job: Job, case: _Case) -> Fix | None:
    """Make the line a comment, if it holds nothing else and nothing else needs the value."""
    setting = case.setting
    if setting is None or setting.name != _NAME or setting.conditional or _USE.search(job.source.text):
        return None
    line = job.source.line_around(setting.span.start)
    written = job.source.slice(setting.span)
    alone = job.source.slice(line) in (f"export {written}", written)
    if not alone or not case.plain or len(case.devices) < case.gpus:
        return None
    return Fix.safe("make it a comment", Edit(Span(line.start, line.start), "# "))
