"""SB102 directive-after-command."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    DirectiveLine,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    LateKind,
    Related,
    Rule,
    Severity,
    Span,
    late_directives,
    options_of_line,
)


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
    and are not reported; of a file that does not begin with `#!` SB012 speaks.  What is left over behind an
    `exit`, or in comments at the end of the file that repeat an option of the head, is an info; behind a line
    of dots, which stands for something that was left out, it is a warning.

    ## References
    - Slurm's src/sbatch/opt.c (`_opt_batch_script`)
    - https://slurm.schedmd.com/sbatch.html
    """

    code = "SB102"
    name = "directive-after-command"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        stop = job.request.directives.stop
        if stop is None or not job.source.text.startswith("#!"):
            return  # sbatch refuses the file; with the first line put right, it may read on
        where = job.source.line_span(stop)
        for late in late_directives(job):
            unclear = not options_of_line(job, late.line)
            yield self.finding(
                late.line.span,
                "sbatch does not read this directive: a command stands before it",
                label="only a comment here",
                related=[Related(where, "sbatch stops reading here")],
                help="take it away" if late.kind is LateKind.LEFT_OVER else "move it above the first command",
                fix=None if late.kind is LateKind.LEFT_OVER else _fix(job, late.line),
                severity=_severity(late.kind, unclear=unclear),
            )


def _severity(kind: LateKind, *, unclear: bool) -> Severity:
    if kind is LateKind.LEFT_OVER:
        return Severity.INFO
    return Severity.WARNING if unclear or kind is LateKind.ELLIPSIS else Severity.ERROR


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
