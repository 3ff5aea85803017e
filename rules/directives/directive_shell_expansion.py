"""SB106 directive-shell-expansion."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import Edit, Expansion, Finding, Fix, Fixable, Job, Rule, Severity, expansions

_FILES = frozenset(("output", "error", "input"))
_NAMES = frozenset(("job-name", "export", "mail-user", "wckey"))
_PATTERNS = {
    "SLURM_JOB_ID": "%j",
    "SLURM_JOBID": "%j",
    "SLURM_ARRAY_JOB_ID": "%A",
    "SLURM_ARRAY_TASK_ID": "%a",
    "SLURM_JOB_NAME": "%x",
    "SLURM_JOB_USER": "%u",
    "USER": "%u",
    "LOGNAME": "%u",
}
"""What the name of an output file may hold instead (fname_create in Slurm's slurmd/common)."""


class DirectiveShellExpansion(Rule):
    """A directive holds a variable or a `~`, which nothing expands.

    ## Why
    Directives are comments to the shell, and sbatch expands nothing in them.  `--output=$HOME/logs/%j.out`
    writes below a folder that is called `$HOME`, relative to the one where the job was submitted; in releases
    before 23.02, where such a folder does not exist, the job fails before its first command, without any
    output.  `--nodes=$N` is refused.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --output=run-$SLURM_JOB_ID.out  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --output=run-%j.out
    srun hostname
    ```

    ## Fix
    In the names of output files the job's id, name, user and array numbers have patterns of their own, which
    take the place of the variables.  All else has to be written out or given on sbatch's command line, where
    the shell expands it.

    ## What it can't know
    Whether a program fills the text in before it is submitted.

    ## References
    - sbatch(1), "filename pattern"; Slurm's src/sbatch/opt.c (`get_argument`)
    - https://github.com/NVIDIA/pyxis/issues/162
    """

    code = "SB106"
    name = "directive-shell-expansion"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for expansion in expansions(job):
            option, pattern = expansion.use.spec.long, _pattern(expansion)
            help = "write it out, or give the option on sbatch's command line, where the shell expands it"
            yield self.finding(
                expansion.span,
                f"sbatch takes {expansion.text} in --{option} as it is written: directives are not expanded",
                label="not expanded",
                help=f"write {pattern}" if pattern else help,
                fix=Fix.safe(f"write {pattern}", Edit(expansion.span, pattern)) if pattern else None,
                severity=Severity.WARNING if option in _NAMES else None,
            )


def _pattern(expansion: Expansion) -> str | None:
    if expansion.use.spec.long not in _FILES or "\\" in (expansion.use.value or ""):
        return None
    name = re.fullmatch(r"\$\{?(\w+)\}?", expansion.text)
    return _PATTERNS.get(name[1]) if name else None
