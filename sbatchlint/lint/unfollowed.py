"""The engine's own rule about what the evaluation of a script left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.lint.rule import Rule
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.plan import Cut, LaunchPlan
    from sbatchlint.lint.job import Job


class UnfollowedCode(Rule):
    """A part of the script was not followed, so what it starts was not checked.

    ## Why
    What a job starts is worked out by following the script: its variables, loops, functions and the code that
    other shells read.  That has an end, the same on every machine: so many commands, and so many functions
    and shells inside one another.  Where it is reached, the rules about launch lines, programs and their
    settings have not seen the rest; a clean report says nothing of it.  Rules about the text, the directives
    and the resources have seen the whole file all the same.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    eval eval eval eval eval eval eval eval eval eval eval eval eval srun hostname  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --time=00:10:00

    srun hostname
    ```

    ## What it can't know
    Whether anything is wrong in the part that was left out.  A function that calls itself is followed for
    some rounds; that it is not followed for more is a note, since what it starts has been seen.  A part that
    could not even be read is reported by SB001.

    ## References
    - What is followed how far: the section "Budgets" of `docs/robustness.md`
    """

    code = "SB004"
    name = "unfollowed-code"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        """Yield one finding for each place from which on something was not followed."""
        for cut in _cuts(job.plan):
            yield self.finding(
                _first_line(job, cut.span),
                f"{_message(cut)}: {cut.reason}",
                label="not followed from here on" if cut.whole else "not followed",
                severity=Severity.INFO if cut.again else None,
                help=_advice(cut),
            )


def _cuts(plan: LaunchPlan) -> Iterator[Cut]:
    """Yield those of the script and of the jobs that it submits."""
    yield from plan.cuts
    for submission in plan.submissions:
        if submission.plan is not None:
            yield from _cuts(submission.plan)


def _message(cut: Cut) -> str:
    if cut.whole:
        return "from here on the script was not followed, and what it starts was not checked"
    if cut.again:
        return "this calls itself and was followed for some rounds only"
    return "this was not followed, and what it starts was not checked"


def _advice(cut: Cut) -> str:
    if cut.again:
        return ""
    if cut.whole:
        return "let loops or scripts of their own, each checked by itself, do what is repeated"
    return "run it more directly"


def _first_line(job: Job, span: Span) -> Span:
    end = job.source.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.start, end)
