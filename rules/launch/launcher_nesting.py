"""SB319 launcher-nesting."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    Job,
    Layer,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    command_name,
    number_of,
)

_TORCH = ("torchrun", "torch.distributed.launch", "ft_launcher", "accelerate", "deepspeed", "composer")
_MPI = ("mpirun", "mpiexec", "orterun", "prun", "prterun", "mpiexec.hydra", "horovodrun")


class LauncherNesting(Rule):
    r"""A launcher starts another one of its kind.

    ## Why
    Each launcher starts a process for each GPU.  torchrun that starts `accelerate launch`, or mpirun in a
    step of several tasks, starts them as often as there are outer processes: 64 for 8 GPUs.  They find each
    other's variables in their environment as well, and count wrongly ("EADDRINUSE", "Duplicate GPU
    detected", Open MPI's "not enough slots available").

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun torchrun --standalone --nproc_per_node=8 --no-python \
        accelerate launch --num_processes 8 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun torchrun --standalone --nproc_per_node=8 train.py
    ```

    ## What it can't know
    mpirun that starts one torchrun on each node is right and not reported, nor is mpirun with one process.

    ## References
    - torch/distributed/run.py
    - https://docs.open-mpi.org/en/v5.0.x/launching-apps/slurm.html
    """

    code = "SB319"
    name = "launcher-nesting"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step, program in job.plan.programs():
            found = _nested(step, program)
            if found is None or found[0] in seen:
                continue
            span, outer, inner, known = found
            seen.add(span)
            name = command_name(program, inner)
            place = outer.span if isinstance(outer, (Layer, Step)) else None
            what = command_name(program, outer) if isinstance(outer, Layer) else "srun"
            number = "" if isinstance(outer, Layer) else " several times"
            yield self.finding(
                span,
                f"{name} is started{number} by {what}: each starts processes for all GPUs",
                label="the inner launcher",
                related=[Related(place, "the outer one")] if place is not None and place != span else [],
                help="keep one of the two",
                severity=Severity.ERROR if known else Severity.WARNING,
                confidence=Confidence.HIGH if known else Confidence.MEDIUM,
            )


_Found = tuple[Span, Layer | Step, Layer, bool]


def _nested(step: Step | None, program: Program) -> _Found | None:
    sure = not program.doubtful
    family = [layer for layer in program.launchers if layer.name in _TORCH]
    if len(family) > 1:
        span = family[1].span or program.span
        return None if span is None else (span, family[0], family[1], sure)
    mpi = next((layer for layer in program.launchers if layer.name in _MPI), None)
    tasks = step.geometry.tasks if step is not None else None
    if mpi is None or step is None or tasks is None or tasks.value < 2:
        return None
    count = number_of(mpi.get("n", "np", "num-proc"))
    span = mpi.span or program.span
    if span is None or (count is not None and count.value == 1) or program.conditional:
        return None
    known = count is not None and max(count.certainty, tasks.certainty) is Certainty.KNOWN and sure
    return span, step, mpi, known and not step.conditional
