"""SB225 unknown-slurm-variable."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from sbatchlint.api import (
    FIRST_NODE,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Mention,
    Rule,
    Severity,
    expects_missing,
    is_in_function,
    is_known,
    is_template,
    nearest,
    reads_settings,
    regex,
    sets_variable,
    slurm_mentions,
)

_HEAD = regex(r"SLURM_(?:JOB_)?(?:FIRST|MASTER|HEAD)_?(?:NODE|HOST)(?:_?(?:IP|NAME|ADDR|ADDRESS))?")
_OF_STEPS = MappingProxyType(
    {
        "SLURM_LAUNCH_NODE_IPADDR": FIRST_NODE,
        "SLURM_SRUN_COMM_HOST": FIRST_NODE,
        "SLURM_STEP_NODELIST": "SLURM_JOB_NODELIST",
        "SLURM_STEP_NUM_NODES": "SLURM_NNODES",
        "SLURM_STEP_NUM_TASKS": "SLURM_NTASKS",
        "SLURM_STEP_TASKS_PER_NODE": "SLURM_TASKS_PER_NODE",
    }
)
"""What srun sets for its tasks, and what the batch shell has in its place."""
_FAMILIES = regex(r"SLURM_(?:JOB_|ARRAY_|STEP_|NTASKS_|TASKS?_|CPUS?_|GPUS?_|MEM_|NODE)\w*")
_LISTS_HOSTS = regex(r"(?<!\w)scontrol[ \t]+show[ \t]+hostn\w*[ \t]+\\?$")
_COMMAND_ENDS = regex(r"[ \t]*(?:[)`|;&\n]|[\"'](?=[\s)`;|&]|$)|$)")
_OF_A_SITE = regex(r"TMP|TEMP|SCRATCH|DIR|PATH|ROOT|LOG|FILE|WORK|DISK")

_WORD_BEFORE = regex(r"[^\s\"'=,;|&()<>`\[\]]+$")
_WORD_BEHIND = regex(r"[^\s\"'=,;|&()<>`\[\]]+")
_ADDRESS_OR_OPTION = regex(r"://|:$|^-[A-Za-z]$")
_OF_NAMES = regex(r"[A-Za-z_/]")
"""What makes more of a word than a number or a range of them."""


class UnknownSlurmVariable(Rule):
    """A `SLURM_` variable is read that Slurm does not set, or not in the batch shell.

    ## Why
    A shell takes a variable that does not exist for an empty word and says nothing.  `MASTER_ADDR` is then
    empty and every rank waits or ends with "The server socket has failed to listen"; a count that is missing
    becomes 0.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    export MASTER_ADDR=${SLURM_JOB_FIRST_NODE_IP}  # finding here
    export WORLD_SIZE=$SLURM_NTASK  # finding here
    srun bash -c 'RANK=$SLURM_PROCID exec python train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    export WORLD_SIZE=$SLURM_NTASKS
    srun bash -c 'RANK=$SLURM_PROCID exec python train.py'
    ```

    What srun says of a step is there for the tasks of the step alone.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    export MASTER_ADDR=$SLURM_LAUNCH_NODE_IPADDR  # finding here
    srun bash -c 'RANK=$SLURM_PROCID exec python train.py'
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    srun bash -c 'RANK=$SLURM_PROCID exec python train.py'
    ```

    ## Fix
    The name that it was meant to be, where only one is close; for a first node that Slurm does not name, the
    first of the list.

    ## What it can't know
    Variables that a site's prolog or the submitting shell sets.  So only names are reported that are close to
    one of Slurm's, or that begin as Slurm's do; one that the script sets, tests, or has a default for is
    its own, and where the script sources another file, only prints it, or makes it a part of the
    longer name of a file or a run, the finding is a warning.  The
    names come from the sources of releases 20.11 to 26.05.  A variable of steps is not reported in a
    function, which a task may call, nor where it is only printed.  Where it is all that
    `scontrol show hostnames` is given, without quotes, scontrol takes the job's own list: an info.

    ## References
    - sbatch(1), OUTPUT ENVIRONMENT VARIABLES
    - scontrol(1), `show hostnames`
    - srun(1), OUTPUT ENVIRONMENT VARIABLES
    - https://github.com/cmriat/Etha/pull/98
    """

    code = "SB225"
    name = "unknown-slurm-variable"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        if is_template(job):
            return
        for mention in slurm_mentions(job):
            name = mention.name
            if name in _OF_STEPS and _is_of_batch_shell(job, mention):
                yield self._report(job, mention, _OF_STEPS[name])
            if is_known(name) or expects_missing(job, name) or sets_variable(job, name):
                continue
            meant = FIRST_NODE if _HEAD.fullmatch(name) else nearest(name)
            if meant is not None or (_FAMILIES.fullmatch(name) and not _OF_A_SITE.search(name)):
                yield self._report(job, mention, meant)

    def _report(self, job: Job, mention: Mention, meant: str | None) -> Finding:
        sure = meant is not None and not mention.printed and not reads_settings(job)
        sure = sure and not _is_part_of_name(job, mention)
        of_steps = mention.name in _OF_STEPS
        harmless = _leaves_scontrol_the_list(job, mention)
        severity = Severity.ERROR if sure else Severity.WARNING
        return self.finding(
            mention.span,
            f"Slurm does not set {mention.name}{' in the batch shell' if of_steps else ''}: it is empty"
            + (", and scontrol takes the job's own list" if harmless else ""),
            label="only the tasks of a step have it" if of_steps else "no release sets this variable",
            help=_help(meant),
            fix=_fix(job, mention, meant),
            severity=Severity.INFO if harmless else severity,
        )


def _leaves_scontrol_the_list(job: Job, mention: Mention) -> bool:
    """Whether it is all that ``scontrol show hostnames`` is given, without quotes: then no word is left.

    scontrol then prints the hosts of ``SLURM_JOB_NODELIST``, which is what was wanted.
    """
    text, span = job.source.text, mention.span
    before = text[max(0, span.start - 80) : span.start]
    alone = mention.plain and _COMMAND_ENDS.match(text, span.end) is not None
    return alone and _LISTS_HOSTS.search(before) is not None


def _is_part_of_name(job: Job, mention: Mention) -> bool:
    """Whether it is one part of the longer name of a file or a run, which is then only a bit shorter."""
    if mention.bare or mention.arithmetic or mention.tested:
        return False
    line = job.source.line_around(mention.span.start)
    before = _WORD_BEFORE.search(job.source.text, line.start, mention.span.start)
    behind = _WORD_BEHIND.match(job.source.text, mention.span.end, line.end)
    first, last = before.group() if before else "", behind.group() if behind else ""
    if _ADDRESS_OR_OPTION.search(first) or last.startswith(":"):
        return False
    return _OF_NAMES.search(first) is not None or _OF_NAMES.search(last) is not None


def _is_of_batch_shell(job: Job, mention: Mention) -> bool:
    """Whether the batch shell itself expands the variable and does something with it."""
    if job.interactive or not job.request.uses or mention.deferred or mention.printed:
        return False
    if is_in_function(job, mention.span):
        return False
    return not (expects_missing(job, mention.name) or sets_variable(job, mention.name))


def _help(meant: str | None) -> str:
    if meant == FIRST_NODE:
        return f"take the first node of the list: {meant}"
    return f"did you mean {meant}?" if meant is not None else "set it, or take one of sbatch's own variables"


def _fix(job: Job, mention: Mention, meant: str | None) -> Fix | None:
    if meant is None:
        return None
    if meant != FIRST_NODE:
        written = job.source.slice(mention.span).replace(mention.name, meant)
        return Fix.safe(f"write {meant}", Edit(mention.span, written))
    if mention.deferred or not mention.plain or mention.arithmetic:
        return None
    return Fix.safe("take the first node of the list", Edit(mention.span, FIRST_NODE))
