"""ACME002 fabric-module-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    written_commands,
)

from ._site import FABRIC_MODULE

_UNCLEAR = ("source", ".", "eval")
"""Commands that may load it out of our sight."""


class FabricModuleMissing(Rule):
    """A step on several nodes starts without the module of the cluster's network.

    ## Why
    Without `acme-fabric` NCCL knows nothing of the cluster's network and talks TCP over the nodes' management
    port: the log says "NET/Socket : Using [0]eth0", and a training step takes about ten times as long.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --job-name=llm-pretrain
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    #SBATCH --time=04:00:00
    module load cuda
    srun python train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --job-name=llm-pretrain
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    #SBATCH --time=04:00:00
    module load cuda
    module load acme-fabric
    srun python train.py
    ```

    ## Fix
    `module load acme-fabric` is put before the first such step, where that begins a line.

    ## What it can't know
    What a file does that the script sources: nothing is said of a script with `source`, `.` or `eval` in it,
    nor of steps in a container, which bring their own NCCL.

    ## References
    - ACME handbook, "NCCL"
    """

    code = "ACME002"
    name = "fabric-module-missing"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield a finding for the first step that would go without the module."""
        commands = list(written_commands(job))
        if any(command.name in _UNCLEAR for command in commands):
            return
        if any(command.name in ("module", "ml") and _may_load(command.words) for command in commands):
            return
        step = next((step for step in job.plan.steps if _talks_between_nodes(step)), None)
        if step is None or step.geometry.nodes is None:
            return
        nodes = step.geometry.nodes
        yield self.finding(
            step.span,
            f"NCCL will use TCP between {nodes.value} nodes: {FABRIC_MODULE} is not loaded",
            label="started without it",
            related=[Related(span, f"{nodes.value} nodes") for span in nodes.spans],
            help=f"write module load {FABRIC_MODULE} before this line",
            fix=_load_before(job, step),
        )


def _may_load(words: tuple[str | None, ...]) -> bool:
    """Tell whether this call of module may load it; a word that an expansion changes is None."""
    return any(word is None or word.split("/")[0] in (FABRIC_MODULE, "restore") for word in words)


def _talks_between_nodes(step: Step) -> bool:
    """Tell whether *step* certainly puts tasks with GPUs on several nodes, outside of containers."""
    nodes, gpus = step.geometry.nodes, step.geometry.gpus_per_node
    if step.container is not None or step.doubtful or nodes is None or gpus is None:
        return False
    return nodes.value > 1 and gpus.value > 0 and nodes.certainty is Certainty.KNOWN


def _load_before(job: Job, step: Step) -> Fix | None:
    """Return the fix, if the step's command begins its line and does not go on from the line before."""
    start = step.line_span.start
    before = job.source.text[:start]
    if not before.endswith("\n") or before.rstrip().endswith(("\\", "|", "&")):
        return None
    return Fix.safe(f"load {FABRIC_MODULE}", Edit(Span(start, start), f"module load {FABRIC_MODULE}\n"))
