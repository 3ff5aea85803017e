"""SB335 cuda-visible-devices-override."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    settings_of,
    shares_nodes,
)

_NAME = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True)
class _Case:
    setting: VariableSetting
    devices: tuple[int, ...]
    gpus: int
    tasks: int
    known: bool


class CudaVisibleDevicesOverride(Rule):
    """The batch script sets CUDA_VISIBLE_DEVICES over what Slurm has given the job.

    ## Why
    Slurm sets `CUDA_VISIBLE_DEVICES` to the GPUs of the job, and of each task.  A list written in the script
    replaces it: all tasks see the same devices, numbers beyond the job's GPUs are no devices at all ("no
    CUDA-capable device is detected"), and where the site does not fence the GPUs off, the job runs on those
    of its neighbour.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=2
    export CUDA_VISIBLE_DEVICES=0,1,2,3  # finding here
    srun torchrun --standalone --nproc_per_node=2 train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=2
    # export CUDA_VISIBLE_DEVICES=0,1,2,3
    srun torchrun --standalone --nproc_per_node=2 train.py
    ```

    ## Fix
    The line becomes a comment, where it names at least the GPUs that the job has.

    ## What it can't know
    Whether the site fences GPUs off (`ConstrainDevices`): then a list of just the job's GPUs does no harm,
    and it is reported with little confidence.  A shorter list, and one in another order, may be meant.
    Nothing is reported for a value that differs by task (`$SLURM_LOCALID`), nor where the nodes are the job's
    own and the list fits.

    ## References
    - sbatch(1), OUTPUT ENVIRONMENT VARIABLES
    - gres.conf(5), cgroup.conf(5): `ConstrainDevices`
    - https://github.com/mlfoundations/open_clip/issues/614
    """

    code = "SB335"
    name = "cuda-visible-devices-override"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step, program in job.plan.programs():
            case = _case(job, step, program)
            if case is None or case.setting.span in seen:
                continue
            message, confidence = _judge(job, case)
            if not message:
                continue
            seen.add(case.setting.span)
            gpus = step.geometry.gpus_per_node if step is not None else job.request.gpus_per_node
            spans = gpus.spans if gpus is not None else ()
            yield self.finding(
                case.setting.span,
                message,
                label="replaces what Slurm sets",
                related=[Related(span, f"the job has {_count(case.gpus)} per node") for span in spans],
                help="leave it to Slurm",
                fix=_fix(job, case),
                confidence=confidence,
            )


def _case(job: Job, step: Step | None, program: Program) -> _Case | None:
    value, span = program.environment.get(_NAME), program.environment_spans.get(_NAME)
    gpus = step.geometry.gpus_per_node if step is not None else job.request.gpus_per_node
    text = value.text if value is not None else None
    if text is None or span is None or gpus is None or gpus.value < 1 or value is None:
        return None
    numbers = text.split(",")
    if not all(number.strip().isdecimal() for number in numbers):
        return None
    setting = next((one for one in settings_of(job) if span in one.span or one.span in span), None)
    if setting is None:
        return None
    tasks = step.geometry.tasks_per_node if step is not None else None
    grades = [value.certainty, gpus.certainty]
    doubtful = program.doubtful or setting.conditional
    devices = tuple(int(number) for number in numbers)
    known = max(grades) is Certainty.KNOWN and not doubtful
    return _Case(setting, devices, gpus.value, tasks.value if tasks is not None else 1, known)


def _judge(job: Job, case: _Case) -> tuple[str, Confidence]:
    beyond = [device for device in case.devices if device >= case.gpus]
    sure = Confidence.HIGH if case.known else Confidence.MEDIUM
    if len(case.devices) > case.gpus:
        return f"{_NAME} names {len(case.devices)} GPUs, and the job has {_count(case.gpus)}", sure
    if beyond:
        # On a node that is not fenced off it can be the right number of another GPU.
        return f"{_NAME} names GPU {beyond[0]}, and the job's are 0 to {case.gpus - 1}", Confidence.MEDIUM
    if case.tasks > 1 and len(case.devices) == 1 and case.gpus > 1:
        return f"all {case.tasks} tasks of a node are given GPU {case.devices[0]}", sure
    plain = case.devices == tuple(range(case.gpus))
    if plain and shares_nodes(job) is not Sharing.NO:
        return f"{_NAME} is set by hand, over what Slurm has given the job", Confidence.LOW
    return "", Confidence.LOW


def _count(number: int) -> str:
    return "1 GPU" if number == 1 else f"{number} GPUs"


def _fix(job: Job, case: _Case) -> Fix | None:
    """Make the line a comment, if it holds nothing else."""
    span = case.setting.span
    line = job.source.line_around(span.start)
    written = job.source.slice(span)
    alone = job.source.slice(line) in (f"export {written}", written)
    if not alone or case.setting.conditional or case.devices[: case.gpus] != tuple(range(case.gpus)):
        return None
    return Fix.safe("make it a comment", Edit(Span(line.start, line.start), "# "))
