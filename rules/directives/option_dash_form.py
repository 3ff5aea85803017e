"""SB109 option-dash-form."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Dashes,
    DashSlip,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    dash_slips,
    said,
)

_ONE_DASH = "a long name needs two dashes: sbatch takes {word} for letters run together"
_EQUALS = "sbatch takes = for a part of the value: behind a letter it is not needed"
_TWO_DASHES = "behind two dashes sbatch looks for a long name: {word} is none"
_BLANKS = "sbatch does not read this as {right}: blanks stand at the ="
_MESSAGES = {
    DashSlip.ONE_DASH: _ONE_DASH,
    DashSlip.LETTER_EQUALS: _EQUALS,
    DashSlip.TWO_DASHES: _TWO_DASHES,
    DashSlip.BLANK_EQUALS: _BLANKS,
}

_OTHER_NAME = (DashSlip.ONE_DASH, DashSlip.TWO_DASHES)


class OptionDashForm(Rule):
    """The dashes of an option do not fit its name, or its `=` is in the wrong place.

    ## Why
    `-mem=4G` is not `--mem=4G` but the option `-m` (distribution) with the value `em=4G`, which sbatch
    refuses.  `-t=30` passes on `=30`, and `-J=x` even gives a job that is called `=x`.  `--n 2` is short for
    a dozen long names and so for none.  Blanks around a `=` part the option from its value.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH -mem=4G  # finding here
    #SBATCH -t=30  # finding here
    #SBATCH --n 2  # finding here
    #SBATCH --nodes = 2  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --mem=4G
    #SBATCH -t 30
    #SBATCH -n 2
    #SBATCH --nodes=2
    srun hostname
    ```

    ## Fix
    The dashes are put right, the `=` behind a letter becomes a blank, and blanks around `=` go.

    ## References
    - getopt_long(3)
    - https://github.com/brainiak/brainiak-tutorials/pull/14
    """

    code = "SB109"
    name = "option-dash-form"
    severity = Severity.ERROR
    fixable = Fixable.ALWAYS

    def check(self, job: Job) -> Iterator[Finding]:
        for slip in dash_slips(job):
            word = slip.written.partition("=")[0]
            yield self.finding(
                slip.whole,
                _MESSAGES[slip.kind].format(word=word, right=_right(job, slip)),
                label=f"--{slip.spec.long} is meant" if slip.kind in _OTHER_NAME else "",
                help=f"write {_right(job, slip)}",
                notes=_said(job, slip),
                fix=Fix.safe(f"write {_right(job, slip)}", Edit(slip.span, slip.replacement)),
            )


def _said(job: Job, slip: Dashes) -> tuple[str, ...]:
    """What sbatch says of it, if it refuses the script for that."""
    for complaint in job.verdict.refusals:
        if complaint.span is not None and complaint.span.overlaps(slip.whole):
            return said(complaint)
    return ()


def _right(job: Job, slip: Dashes) -> str:
    """The word as it should be."""
    text = job.source.text
    whole = slip.whole
    right = text[whole.start : slip.span.start] + slip.replacement + text[slip.span.end : whole.end]
    return right.rstrip()
