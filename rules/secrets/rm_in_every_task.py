"""SB807 rm-in-every-task."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    is_of_node,
    is_recursive,
    lies_under,
)


class RmInEveryTask(Rule):
    """Every task removes a folder that another task may already be writing to.

    ## Why
    The command of a step runs once per task, and tasks do not start at the same moment.  With
    `srun bash -c 'rm -rf nemo_experiments && python finetune.py ...'` a late task removes what rank 0 has
    written since: the first checkpoint, the packed data, the log.  The others see `FileNotFoundError`, or a
    checkpoint is missing days later.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun bash -c 'rm -rf nemo_experiments && python finetune.py'  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    rm -rf nemo_experiments
    srun python finetune.py
    ```

    ## Fix
    None: remove the folder once, in the batch script, before the step; and only if nothing in it is needed.

    ## What it can't know
    Whether the folder is shared.  `/tmp` and other folders of the node are left alone, and so is a path with
    the task's number in it, and an `rm` behind a condition.

    ## References
    - srun(1)
    """

    code = "SB807"
    name = "rm-in-every-task"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            tasks = step.geometry.tasks
            if tasks is None or tasks.value < 2:
                continue
            for number, program in enumerate(step.programs):
                span = program.span
                if span is None or span in seen or not _removes(step, program):
                    continue
                if any(_is_work(other) for other in step.programs[number + 1 :]):
                    seen.add(span)
                    yield self._report(step, program, span, tasks.value)

    def _report(self, step: Step, program: Program, span: Span, tasks: int) -> Finding:
        what = " ".join(a.value.show() for a in program.arguments if not a.value.show().startswith("-"))
        return self.finding(
            span,
            f"{tasks} tasks remove {what}, the last of them when others already use it",
            label="once per task",
            related=[] if span.overlaps(step.span) else [Related(step.span, f"starts {tasks} tasks")],
            help="remove it once, in the batch script, before srun",
            confidence=Confidence.HIGH if step.container is None else Confidence.MEDIUM,
        )


def _removes(step: Step, program: Program) -> bool:
    words = [argument.value.show() for argument in program.arguments]
    if program.name != "rm" or (program.conditional and not step.conditional):
        return False
    places = [word for word in words if not word.startswith("-")]
    own = any(leaf.per_task for argument in program.arguments for leaf in argument.value.unknowns())
    recursive = is_recursive(words)
    return recursive and bool(places) and not own and not any(map(_is_apart, places))


def _is_apart(place: str) -> bool:
    """Whether the tasks of another node, or container, have a folder of this name of their own."""
    return is_of_node(place) or lies_under(place.rstrip("/"), "/root")


def _is_work(program: Program) -> bool:
    return bool(program.launchers) or program.has_layer("python", "uv")
