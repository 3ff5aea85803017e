"""SB602 uv-sync-race."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    environment_is_own,
    install_command,
    most_tasks_on_a_node,
    step_that_warms_uv,
)


class UvSyncRace(Rule):
    """Several tasks install packages into the same place at the same time.

    ## Why
    `pip` does not lock what it writes to.  Eight tasks that each run `pip install` in one container or in
    one environment on shared storage take files away under each other's hands: `FileNotFoundError` in
    `site-packages`, half a package, an `ImportError` on some ranks while the others wait for the NCCL
    time-out.  `apt-get` fails for all but one with `Could not get lock /var/lib/dpkg/lock-frontend`.  uv does
    lock, but the lock waits 300 seconds and needs a file system that has locks; on the first run every task
    waits for the one that builds.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun bash -c 'pip install -e . && python train.py'  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    pip install -e .
    srun python train.py
    ```

    With uv: one process first, then all.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun bash -c 'uv sync && uv run --no-sync python train.py'  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun --nodes=1 --ntasks=1 --ntasks-per-node=1 uv sync
    srun bash -c 'uv sync && uv run --no-sync python train.py'
    ```

    ## Fix
    None: install into the image, before the job, or in a step of one task ahead of the others.  In a
    container that step does not help pip, whose container is thrown away; one task per node may install there
    (`[ "$SLURM_LOCALID" = 0 ]`) if the others wait for it, which `sleep` does not do.

    ## What it can't know
    Where an environment lies.  One task on each node is reported as less sure, and not at all in a
    container, which each node has for itself.

    ## References
    - [uv: caching](https://docs.astral.sh/uv/concepts/cache/)
    - [pip issue 2361](https://github.com/pypa/pip/issues/2361)
    """

    code = "SB602"
    name = "uv-sync-race"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for program in step.programs:
                command, span = install_command(program), program.span
                if command is None or span is None or span in seen or environment_is_own(program):
                    continue
                guarded = program.conditional and not step.conditional
                if guarded or (command.startswith("uv") and step_that_warms_uv(job, step) is not None):
                    continue
                number, sure = _crowd(step, program)
                if number > 1:
                    seen.add(span)
                    yield self._report(step, command, span, number, sure)

    def _report(self, step: Step, command: str, span: Span, number: int, sure: bool) -> Finding:
        sure = sure and not command.startswith("uv")
        return self.finding(
            span,
            f"{number} tasks run {command} at the same time, in the same place",
            label="once per task",
            related=[] if span.overlaps(step.span) else [Related(step.span, f"starts {number} tasks")],
            help="run it once before: srun --nodes=1 --ntasks=1 --ntasks-per-node=1 uv sync"
            if command.startswith("uv")
            else "install before the job, into the image, or once in the batch script",
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _crowd(step: Step, program: Program) -> tuple[int, bool]:
    """How many tasks share the place, and whether that is sure.

    A container is each node's own, and of Apptainer's each task's; else the place may be shared by all.
    """
    each = most_tasks_on_a_node(step.geometry)
    meant = step.get("ntasks-per-node")
    if meant is not None and meant.value is not None and meant.value.text == "1":
        return 0, False  # whatever Slurm makes of it besides the job's own task count
    if any(layer.kind.value == "container" for layer in program.layers):
        return 0, False
    if step.container is not None:
        return (each.number, each.certainty is Certainty.KNOWN) if each is not None else (0, False)
    tasks = step.geometry.tasks
    if each is not None and each.number > 1:
        number = tasks.value if tasks is not None else each.number
        return number, each.certainty is Certainty.KNOWN
    return (tasks.value if tasks is not None else 0), False
