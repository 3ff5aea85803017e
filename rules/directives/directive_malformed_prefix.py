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
    Lookalike,
    Rule,
    Severity,
    almost_directives,
)

_WRONG = {
    Lookalike.LETTER_CASE: "it is not in upper case",
    Lookalike.INDENTED: "blanks stand before the #",
    Lookalike.GAP: "a blank stands after the #",
    Lookalike.MISSPELT: "it is misspelt",
}


class DirectiveMalformedPrefix(Rule):
    """A line is meant as a directive, but sbatch takes it for a comment.

    ## Why
    A directive begins with the seven characters `#SBATCH`, in upper case and in the first column.  sbatch
    takes `#sbatch`, ` #SBATCH`, `# SBATCH` and `#SBACTH` for comments and says nothing: the job is queued
    without the option and runs on one node, without GPUs, or for the default time.

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
    Whether `# SBATCH` is meant as switched off: that is a warning, and its fix waits to be asked for.

    ## References
    - Slurm's src/sbatch/opt.c (`_opt_batch_script`)
    - https://github.com/ACEsuit/mace/issues/435
    """

    code = "SB103"
    name = "directive-malformed-prefix"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for line in almost_directives(job):
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
                severity=Severity.WARNING if line.kind is Lookalike.GAP else None,
            )


def _fix(line: AlmostDirective) -> Fix:
    edit = Edit(line.marker, "#SBATCH")
    return Fix.reviving("write #SBATCH", edit, certain=line.kind is not Lookalike.GAP)
