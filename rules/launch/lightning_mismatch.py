"""SB312 lightning-mismatch."""

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
    ToldNumber,
    option_numbers,
    regex,
)

_DEVICES = ("devices", "trainer.devices")
_NODES = ("num_nodes", "trainer.num_nodes")
_LIGHTNING = regex(r"(?i)lightning|(^|_)pl_|lit_?gpt|nemo")
_OTHER_SOURCE = regex(r"num[-_]nodes|conf|\.ya?ml|^-c[pn]?$|^@|\$")
"""Words that name the number of nodes, or a file that may."""
_SUBCOMMANDS = frozenset(("fit", "validate", "test", "predict"))


class LightningMismatch(Rule):
    r"""Lightning is told of other numbers of devices or nodes than srun starts tasks for.

    ## Why
    Under srun each task is one process of Lightning's, so `devices` has to be the tasks per node and
    `num_nodes`, which is 1 if nobody sets it, the nodes.  Lightning compares them and stops: "You set
    `--ntasks-per-node=1` in your SLURM bash script, but you configured `devices=8` in Lightning.  These
    values must match."  Where the number of tasks is left to Slurm's default it does not notice, and waits
    for ranks that nobody starts.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=8
    srun python train.py trainer.num_nodes=2 \
        trainer.devices=8  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python train.py trainer.num_nodes=2 \
        trainer.devices=8
    ```

    ## What it can't know
    What a program sets itself: `devices` without `num_nodes` on several nodes is reported with little
    confidence, and not at all where a configuration file is named.  And whether a program uses Lightning: it
    is taken to do so where it is given `trainer.devices` or
    `trainer.num_nodes`, or both `--devices` and `--num_nodes`.  Under torchrun Lightning does not look at
    Slurm's tasks, and nothing is reported.

    ## References
    - lightning/fabric/plugins/environments/slurm.py (`validate_settings`)
    - https://github.com/Lightning-AI/pytorch-lightning/issues/6169
    """

    code = "SB312"
    name = "lightning-mismatch"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for step in job.plan.steps:
            for program in step.programs:
                for finding in self._of(step, program):
                    if finding.span not in seen:
                        seen.add(finding.span)
                        yield finding

    def _of(self, step: Step, program: Program) -> Iterator[Finding]:
        if program.launchers or not _is_lightning(program):
            return
        geometry = step.geometry
        for names, count, what in (
            (_DEVICES, geometry.tasks_per_node, "task per node"),
            (_NODES, geometry.nodes, "node"),
        ):
            numbers = option_numbers(program, names)
            if count is None or not numbers or numbers[-1].value in (0, count.value):
                continue
            yield self._report(step, program, numbers[-1], count, what)
        nodes, devices = geometry.nodes, option_numbers(program, _DEVICES)
        if nodes is not None and nodes.value > 1 and devices and not _other_source(program):
            yield self._missing(step, devices[-1], nodes)

    def _missing(self, step: Step, devices: ToldNumber, nodes: Count) -> Finding:
        name = devices.name.replace("devices", "num_nodes")
        return self.finding(
            devices.span or step.span,
            f"{name} is not given, and 1 by default, but srun starts tasks on {nodes.value} nodes",
            label="devices of each node",
            related=[Related(span, f"{nodes.value} nodes") for span in nodes.spans],
            help=f"give {name}={nodes.value} as well, unless the program sets it",
            severity=Severity.WARNING,
            confidence=Confidence.LOW,
        )

    def _report(self, step: Step, program: Program, told: ToldNumber, count: Count, what: str) -> Finding:
        plural = what if count.value == 1 else what.replace("task", "tasks").replace("node", "nodes")
        plural = plural.replace("per nodes", "per node")
        place = told.span or step.span
        certain = max(told.certainty, count.certainty) is Certainty.KNOWN
        certain = certain and not (step.doubtful or program.doubtful)
        named = any("." in number.name for number in option_numbers(program, (*_DEVICES, *_NODES)))
        strong = named or bool(_LIGHTNING.search(program.target.show()))
        related = [Related(span, f"{count.value} {plural}") for span in count.spans]
        related.append(Related(step.span, f"starts {count.value} {plural}"))
        option = "--ntasks-per-node" if "task" in what else "--nodes"
        return self.finding(
            place,
            f"{told.name} is {told.value}, but srun starts {count.value} {plural}",
            label=f"{told.value} here",
            related=[one for one in related if one.span != place],
            help=f"make {told.name} and {option} the same number",
            severity=Severity.ERROR if certain and named else Severity.WARNING,
            confidence=Confidence.HIGH if strong or certain else Confidence.MEDIUM,
        )


def _other_source(program: Program) -> bool:
    return any(_OTHER_SOURCE.search(word.value.show()) for word in program.arguments)


def _is_lightning(program: Program) -> bool:
    if any(number.name.startswith("trainer.") for number in option_numbers(program, (*_DEVICES, *_NODES))):
        return True
    devices, nodes = option_numbers(program, ("devices",)), option_numbers(program, ("num_nodes",))
    if devices and nodes:
        return True
    first = program.arguments[0].text if program.arguments else None
    named = bool(_LIGHTNING.search(program.target.show())) or first in _SUBCOMMANDS
    return named and bool(devices or nodes)
