"""SB102 directive-after-command."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    DirectiveLine,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    misspelt_shebang,
    options_of_line,
)

_OPTION = re.compile(r"--[A-Za-z][\w-]*(?:=.|$)")
_FEW = 2
"""Words of an option and its value."""


class DirectiveAfterCommand(Rule):
    """A directive stands below the first command, where sbatch no longer reads.

    ## Why
    sbatch reads `#SBATCH` lines up to the first line that is neither blank nor a comment, and no further.
    `set -e`, `module load`, an `export` or an `echo` before the block switches all of it off, without a word:
    the job runs with the defaults, one node and one task.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    set -euo pipefail
    #SBATCH --ntasks-per-node=4  # finding here
    #SBATCH --time=01:00:00  # finding here

    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --time=01:00:00
    set -euo pipefail

    srun hostname
    ```

    ## Fix
    The line moves up, behind the last directive that sbatch reads.  Nothing is done where the option is given
    there already, or where the line stands inside a command (an `if`, a function).

    ## What it can't know
    Whether the script is submitted at all.  Lines inside a here-document or a string belong to another script
    and are not reported.

    ## References
    - Slurm's src/sbatch/opt.c (`_opt_batch_script`)
    - https://slurm.schedmd.com/sbatch.html
    """

    code = "SB102"
    name = "directive-after-command"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        directives = job.request.directives
        comments = {comment.span.start for comment in job.script.comments}
        late = [line for line in directives.late if line.span.start in comments and _has_options(job, line)]
        text = job.source.text
        if directives.stop is None or not late or text.startswith("\ufeff#!") or misspelt_shebang(text):
            return  # with the first line put right, sbatch reads on
        stop = job.source.line_span(directives.stop)
        for line in late:
            yield self.finding(
                line.span,
                "sbatch does not read this directive: a command stands before it",
                label="only a comment here",
                related=[Related(stop, "sbatch stops reading here")],
                help="move it above the first command",
                fix=_fix(job, line),
                severity=None if options_of_line(job, line) else Severity.WARNING,
            )


def _has_options(job: Job, line: DirectiveLine) -> bool:
    options = options_of_line(job, line)
    if options is None:  # sbatch would refuse it, which is no reason to say nothing; but it may be prose
        return len(line.tokens) <= _FEW and _OPTION.match(line.tokens[0].value) is not None
    return bool(options)


def _fix(job: Job, line: DirectiveLine) -> Fix | None:
    """Move the line up, unless that would change what an option read already says."""
    options = options_of_line(job, line)
    if options is None or job.request.hetjob or line.separator or _inside_command(job, line.span):
        return None
    if any(job.request.get(use.spec.long) is not None for use in options):
        return None
    above = job.request.directives.lines
    target = above[-1].span.end if above else job.source.line_span(1).end
    text = job.source.slice(line.span)
    end = min(line.span.end + 1, len(job.source.text))
    start = line.span.start if end > line.span.end else max(0, line.span.start - 1)
    return Fix.safe(
        "move it above the first command",
        Edit(Span(target, target), f"\n{text}"),
        Edit(Span(start, end), ""),
    )


def _inside_command(job: Job, span: Span) -> bool:
    return any(span in statement.span for statement in job.script.body)
