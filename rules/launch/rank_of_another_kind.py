"""SB337 rank-of-another-kind."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Count,
    Finding,
    Job,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    regex,
)

_NAME = regex(r"\$\{?(SLURM_\w+)\}?")
_RIGHT = {"RANK": "SLURM_PROCID", "WORLD_SIZE": "SLURM_NTASKS", "LOCAL_RANK": "SLURM_LOCALID"}
_WRONG = {
    "RANK": ("SLURM_NODEID", "SLURM_LOCALID"),
    "WORLD_SIZE": ("SLURM_NNODES", "SLURM_JOB_NUM_NODES", "SLURM_NTASKS_PER_NODE"),
    "LOCAL_RANK": ("SLURM_PROCID", "SLURM_NODEID"),
}
_EFFECT = {
    "RANK": "several tasks get the same rank",
    "WORLD_SIZE": "the first ranks form the group, and the others are too many",
    "LOCAL_RANK": "a task takes a GPU that its node does not have, or that of its neighbour",
}


class RankOfAnotherKind(Rule):
    r"""A task's rank, its local rank or the number of ranks is taken from the wrong variable of Slurm.

    ## Why
    `SLURM_PROCID` counts the tasks of the step, `SLURM_LOCALID` those of a node, `SLURM_NODEID` the nodes.
    With `RANK=$SLURM_NODEID` and eight tasks on each node eight ranks are called 0, and the process group
    waits for the others ("Timed out ... waiting for clients").  With `LOCAL_RANK=$SLURM_PROCID` the second
    node looks for GPU 8: "CUDA error: invalid device ordinal".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c '
        export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS
        export LOCAL_RANK=$SLURM_PROCID  # finding here
        exec python train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c '
        export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS
        export LOCAL_RANK=$SLURM_LOCALID
        exec python train.py'
    ```

    ## What it can't know
    Nothing is reported where both variables have the same values, as on one node or with one task on each,
    nor for a program that a launcher starts, which sets the ranks itself.

    ## References
    - srun(1), OUTPUT ENVIRONMENT VARIABLES
    """

    code = "SB337"
    name = "rank-of-another-kind"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for program in step.programs:
                if program.launchers:
                    continue
                for finding in self._of(step, program):
                    if finding.span not in seen:
                        seen.add(finding.span)
                        yield finding

    def _of(self, step: Step, program: Program) -> Iterator[Finding]:
        nodes, each = step.geometry.nodes, step.geometry.tasks_per_node
        if nodes is None or each is None or nodes.value < 1:
            return
        for name, right in _RIGHT.items():
            value, span = program.environment.get(name), program.environment_spans.get(name)
            found = _NAME.fullmatch(value.show()) if value is not None else None
            if found is None or span is None or found[1] not in _WRONG[name]:
                continue
            if _differs(name, found[1], nodes.value, each.value):
                yield self._report(step, program, span, (name, found[1], right), nodes, each)

    def _report(
        self,
        step: Step,
        program: Program,
        span: Span,
        names: tuple[str, str, str],
        nodes: Count,
        each: Count,
    ) -> Finding:
        name, written, right = names
        doubtful = step.doubtful or program.doubtful
        sure = max(nodes.certainty, each.certainty) is Certainty.KNOWN and not doubtful
        tasks = "1 task" if each.value == 1 else f"{each.value} tasks"
        return self.finding(
            span,
            f"{_EFFECT[name]}: {name} is {written}",
            label=f"with {tasks} on each of {nodes.value} nodes" if nodes.value > 1 else f"with {tasks}",
            related=[] if step.span == span else [Related(step.span, "starts the tasks")],
            help=f"take ${right}",
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.MEDIUM if doubtful else Confidence.HIGH,
        )


def _differs(name: str, written: str, nodes: int, each: int) -> bool:
    """Whether the two variables have different values in some task."""
    if name == "RANK":
        return each > 1 if written == "SLURM_NODEID" else nodes > 1
    if name == "LOCAL_RANK":
        return nodes > 1 if written == "SLURM_PROCID" else max(nodes, each) > 1
    return nodes > 1 if written == "SLURM_NTASKS_PER_NODE" else each > 1
