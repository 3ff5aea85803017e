"""SB103 directive-malformed-prefix."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    AlmostDirective,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    JobRequest,
    Lookalike,
    Rule,
    Severity,
    Use,
    almost_directives,
)

_WRONG = {
    Lookalike.LETTER_CASE: "it is not in upper case",
    Lookalike.INDENTED: "blanks stand before the #",
    Lookalike.GAP: "a blank stands after the #",
    Lookalike.MISSPELT: "it is misspelt",
}
_ASIDE = frozenset(
    "job-name output error open-mode comment extra wckey mail-type mail-user verbose quiet".split()
)
"""What gives a job its name, logs, mails and notes: what it gets and runs is the same without."""


class DirectiveMalformedPrefix(Rule):
    """A line is meant as a directive, but sbatch takes it for a comment.

    ## Why
    A directive begins with the seven characters `#SBATCH`, in upper case and in the first column.  sbatch
    takes `#sbatch`, ` #SBATCH`, `# SBATCH` and `#SBACTH` for comments and says nothing: the job is queued
    without the option and runs on one node, without GPUs, or for the default time.  Where only a name, a log
    or a mail is lost, the job runs as it should: that is a warning.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #sbatch --nodes=2  # finding here
      #SBATCH --ntasks-per-node=4  # finding here
    #SBATHC --time=01:00:00  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --time=01:00:00
    srun hostname
    ```

    ## Fix
    The marker becomes `#SBATCH`, where all that follows are options that sbatch takes and none of them is
    given by another line.  For `# SBATCH`, which may be switched off on purpose, that is an unsafe fix.
    `##SBATCH` is the usual way of switching a directive off and is left alone, and so is a line whose option
    another directive gives.

    ## What it can't know
    Whether `# SBATCH` is meant as switched off.  It is a warning where most directives of the script are
    written so, and an info beside proper ones; its fix waits to be asked for.

    ## References
    - Slurm's src/sbatch/opt.c (`_opt_batch_script`)
    - https://github.com/ACEsuit/mace/issues/435
    """

    code = "SB103"
    name = "directive-malformed-prefix"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        lines = list(almost_directives(job))
        gaps = sum(line.kind is Lookalike.GAP for line in lines)
        off = gaps <= len(job.request.directives.lines)
        for line in lines:
            request = job.request.components[line.component]
            given = any(request.get(use.spec.long) is not None for use in line.options)
            if given and line.kind is not Lookalike.MISSPELT:
                continue  # an alternative that is switched off
            yield self.finding(
                line.marker,
                f"sbatch takes this line for a comment: {_WRONG[line.kind]}",
                label="not #SBATCH at the start of the line",
                help="write #SBATCH, or ##SBATCH for a line that is switched off",
                fix=None if given else _fix(line),
                severity=_severity(request, line, off),
            )


def _severity(request: JobRequest, line: AlmostDirective, off: bool) -> Severity:
    """A blank behind the ``#`` is also how people switch a directive off, beside others that are not."""
    if line.kind is Lookalike.GAP:
        return Severity.INFO if off else Severity.WARNING
    lost = [use for use in line.options if not _is_said_elsewhere(request, use)]
    if line.options and not lost:
        return Severity.INFO
    aside = bool(lost) and all(use.spec.long in _ASIDE for use in lost)
    return Severity.WARNING if aside else Severity.ERROR


def _is_said_elsewhere(request: JobRequest, use: Use) -> bool:
    """Tell whether another line gives the option the same value."""
    other = request.get(use.spec.long)
    return other is not None and other.value == use.value


def _fix(line: AlmostDirective) -> Fix:
    edit = Edit(line.marker, "#SBATCH")
    return Fix.reviving("write #SBATCH", edit, certain=line.kind is not Lookalike.GAP)
