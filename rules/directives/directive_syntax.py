"""SB120 directive-syntax."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Rule,
    Severity,
    Span,
    complaints,
    said,
    severity_of,
)

_WORDS = {
    ComplaintKind.UNMATCHED_QUOTE: (
        "sbatch refuses the script: a quote is not closed",
        "never closed",
        "close the quote, or put a backslash before an apostrophe",
    ),
    ComplaintKind.FREE_COLON: (
        "sbatch refuses the script: a colon stands alone",
        "a colon as a word",
        "take it out; components of a heterogeneous job are parted by #SBATCH hetjob",
    ),
    ComplaintKind.OLD_PREFIX: (
        "#SLURM is taken for a directive, and sbatch complains of it at each submission",
        "the old marker",
        "write #SBATCH",
    ),
    ComplaintKind.OLD_SEPARATOR: (
        "packjob is the old name of hetjob, and sbatch warns of it at each submission",
        "the old name",
        "write hetjob",
    ),
}


class DirectiveSyntax(Rule):
    r"""A directive can't be split into words, or is written in an old way.

    ## Why
    In directives quotes group words as in a shell, so a lone apostrophe is a quote that never closes, and
    sbatch gives up: "fatal: job.sh: line 2: Unmatched `'` in [it's]".  A colon that stands alone is refused
    as well.  `#SLURM` and `packjob` are still taken, with a complaint at each submission.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --comment=it's  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --comment=it\'s
    srun hostname
    ```

    ```sbatch bad
    #!/bin/bash
    #SLURM --nodes=1  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    srun hostname
    ```

    ## Fix
    `#SLURM` becomes `#SBATCH`, `packjob` becomes `hetjob`, and a colon right behind `#SBATCH` goes.

    ## References
    - Slurm's src/sbatch/opt.c (`get_argument`, `_opt_batch_script`)
    """

    code = "SB120"
    name = "directive-syntax"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, *_WORDS):
            assert complaint.span is not None
            message, label, help = _WORDS[complaint.kind]
            yield self.finding(
                complaint.span,
                message,
                label=label,
                help=help,
                notes=said(complaint),
                fix=_fix(job, complaint),
                severity=severity_of(job, complaint),
            )


def _fix(job: Job, complaint: Complaint) -> Fix | None:
    span = complaint.span
    assert span is not None
    text = job.source.slice(span)
    if complaint.kind is ComplaintKind.OLD_PREFIX:
        return Fix.safe("write #SBATCH", Edit(span, "#SBATCH"))
    if complaint.kind is ComplaintKind.OLD_SEPARATOR and text.lower().endswith("packjob"):
        return Fix.safe("write hetjob", Edit(Span(span.end - len("packjob"), span.end), "hetjob"))
    before = job.source.text[: span.start]
    if complaint.kind is ComplaintKind.FREE_COLON and before.endswith("#SBATCH"):
        blank = "" if job.source.text[span.end : span.end + 1].isspace() else " "
        return Fix.safe("take out the colon", Edit(span, blank))
    return None
