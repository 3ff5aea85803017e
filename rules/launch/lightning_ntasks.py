"""SB340 lightning-ntasks."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    option_numbers,
)

_TOLD = ("trainer.devices", "trainer.num_nodes")
_SHELLS = ("bash", "interactive")
"""Names of a job with which Lightning takes it for a shell, and looks at nothing of Slurm's."""


class LightningNtasks(Rule):
    r"""Lightning's tasks are asked for with --ntasks, and not with --ntasks-per-node.

    ## Why
    Lightning reads the tasks of a node from SLURM_NTASKS_PER_NODE, which Slurm sets only where
    `--ntasks-per-node` is given.  With several tasks and without it every process stops: "RuntimeError: You
    set `--ntasks=16` in your SLURM bash script, but this variable is not supported. HINT: Use
    `--ntasks-per-node=16` instead."  The hint is right on one node alone: on two it is 8.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks=16  # finding here
    #SBATCH --gpus-per-node=8
    srun python train.py trainer.num_nodes=2 trainer.devices=8
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python train.py trainer.num_nodes=2 trainer.devices=8
    ```

    ## What it can't know
    Releases of Lightning before 1.7 do not look; so this is a warning.  Programs are taken for Lightning's
    where they are given `trainer.devices` or `trainer.num_nodes`.

    ## References
    - Lightning-AI/pytorch-lightning: src/lightning/fabric/plugins/environments/slurm.py,
      `_validate_srun_variables`
    - sbatch(1), SLURM_NTASKS_PER_NODE
    """

    code = "SB340"
    name = "lightning-ntasks"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        if "NTASKS_PER_NODE" in job.source.text or _is_shell(job):
            return
        seen: set[Span] = set()
        for step in job.plan.steps:
            place = _place(job, step)
            if place is None or place in seen or not any(map(_is_lightning, step.programs)):
                continue
            seen.add(place)
            yield self._finding(step, place)

    def _finding(self, step: Step, place: Span) -> Finding:
        tasks, nodes = step.geometry.tasks, step.geometry.nodes
        count = tasks.value if tasks is not None else 0
        each = f"={count // nodes.value}" if nodes is not None and count % nodes.value == 0 else ""
        return self.finding(
            place,
            f"Lightning stops where {count} tasks are asked for without --ntasks-per-node",
            label=f"{count} tasks",
            related=[] if step.span == place else [Related(step.span, "starts Lightning's processes")],
            help=f"give --ntasks-per-node{each} instead",
        )


def _place(job: Job, step: Step) -> Span | None:
    """Where the number of tasks is asked for, if that of each node is not and it is more than one."""
    tasks = step.geometry.tasks
    if tasks is None or tasks.value < 2 or tasks.certainty is not Certainty.KNOWN or step.doubtful:
        return None
    if step.get("ntasks-per-node") is not None or job.request.get("ntasks-per-node") is not None:
        return None
    option = step.get("ntasks")
    if option is not None:
        return option.arg.place
    return tasks.spans[0] if tasks.spans else None


def _is_lightning(program: Program) -> bool:
    return not program.launchers and not program.doubtful and bool(option_numbers(program, _TOLD))


def _is_shell(job: Job) -> bool:
    name = job.request.get("job-name")
    return name is not None and name.value in _SHELLS
