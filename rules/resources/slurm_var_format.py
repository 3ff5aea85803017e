"""SB224 slurm-var-format."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Finding,
    Job,
    JobVariable,
    Mention,
    Related,
    Rule,
    Severity,
    is_template,
    regex,
    sets_variable,
    slurm_mentions,
    variables_of,
)

_LISTS = ("SLURM_JOB_CPUS_PER_NODE", "SLURM_TASKS_PER_NODE")
_TYPED = ("SLURM_GPUS", "SLURM_GPUS_PER_NODE", "SLURM_GPUS_PER_SOCKET")
_NUMBER = regex(
    r"(?:--(?:nproc[-_]per[-_]node|num[-_](?:processes|workers|threads|cpus|gpus|nodes)|nnodes|workers|threads|"
    r"ncpus|n?gpus|devices|tasks|ntasks(?:[-_]per[-_]node)?|cpus[-_]per[-_]task)(?:=|\s+)|"
    r"\bsrun\b[^\n|;&]{0,300}\s-[nc]\s*|\bmpi(?:run|exec)\b[^\n|;&]{0,300}\s-np?\s+|"
    r"\bmake\s[^\n|;&]{0,300}-j\s*|"
    r"\b\w+_NUM_THREADS=|\bseq\s+(?:\d+\s+)?)\"?$"
)
_INSTEAD = {
    "SLURM_JOB_CPUS_PER_NODE": "SLURM_CPUS_ON_NODE, the CPUs of one node",
    "SLURM_TASKS_PER_NODE": "SLURM_NTASKS_PER_NODE",
    "SLURM_GPUS": "--gpus with the number alone, and the type by --constraint",
    "SLURM_GPUS_PER_NODE": "SLURM_GPUS_ON_NODE, which is a number",
    "SLURM_GPUS_PER_SOCKET": "--gpus-per-socket with the number alone",
}


class SlurmVarFormat(Rule):
    """A variable is used as a number that Slurm writes in another way.

    ## Why
    `SLURM_JOB_CPUS_PER_NODE` and `SLURM_TASKS_PER_NODE` list all nodes: `24(x2)` on two nodes that are alike,
    `24,16` on others.  The shell ends with "24(x2): syntax error in expression".  `SLURM_GPUS_PER_NODE`
    repeats the option's text, with the type if there is one: `a100:4`.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --cpus-per-task=24
    WORKERS=$((SLURM_JOB_CPUS_PER_NODE - 1))  # finding here
    srun python run.py --workers "$WORKERS"
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --cpus-per-task=24
    WORKERS=$((SLURM_CPUS_ON_NODE - 1))
    srun python run.py --workers "$WORKERS"
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --gpus-per-node=a100:4
    torchrun --nproc_per_node=$SLURM_GPUS_PER_NODE train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --gpus-per-node=a100:4
    torchrun --nproc_per_node=$SLURM_GPUS_ON_NODE train.py
    ```

    ## What it can't know
    What a program makes of such a text.  Arithmetic and options that are counts everywhere are looked at; a
    part of the value (`${SLURM_TASKS_PER_NODE%%(*}`) is left in peace.  On one node the lists are plain
    numbers, so a job whose number of nodes is not told is not reported.  It is a warning where the value
    itself is not told.

    ## References
    - sbatch(1), OUTPUT ENVIRONMENT VARIABLES
    - https://github.com/OGGM/oggm/pull/1135
    """

    code = "SB224"
    name = "slurm-var-format"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        if is_template(job):
            return
        variables = variables_of(job)
        for mention in slurm_mentions(job):
            shown = _shown(job, mention.name, variables.get(mention.name))
            if shown is None or not mention.plain or sets_variable(job, mention.name):
                continue
            if mention.arithmetic or _is_count(job, mention):
                yield self._report(job, mention, shown, variables[mention.name])

    def _report(self, job: Job, mention: Mention, shown: str, variable: JobVariable) -> Finding:
        known = variable.value is not None and variable.certainty is Certainty.KNOWN
        nodes = job.request.nodes
        spans = [variable.span] if variable.span is not None else [*nodes.spans] if nodes is not None else []
        return self.finding(
            mention.span,
            f"{mention.name} is no number: it is {shown}",
            label="a number is needed here",
            related=[Related(span, "gives it that form") for span in spans[:1]],
            help=f"take {_INSTEAD[mention.name]}",
            severity=Severity.ERROR if known else Severity.WARNING,
        )


def _shown(job: Job, name: str, variable: JobVariable | None) -> str | None:
    """The value as Slurm writes it, where that is no number."""
    if variable is None or variable.set is False:
        return None
    if name in _TYPED:
        value = variable.value
        return value if value is not None and ":" in value else None
    nodes = job.request.nodes
    if name not in _LISTS or nodes is None or nodes.value < 2 or nodes.certainty is not Certainty.KNOWN:
        return None
    return variable.value or f"a list such as 24(x{nodes.value})"


def _is_count(job: Job, mention: Mention) -> bool:
    line = job.source.line_around(mention.span.start)
    before = job.source.text[line.start : mention.span.start]
    return not mention.printed and _NUMBER.search(before) is not None
