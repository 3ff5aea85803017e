"""SB105 directive-hash-truncation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Complaint,
    ComplaintKind,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    OptionUse,
    Rule,
    Severity,
    Span,
    complaints,
    regex,
)

_TEXTS = frozenset(
    "container-image container-mounts container-name comment job-name output error input chdir extra wckey "
    "constraint account licenses export container-env mail-user".split()
)
"""Options whose value is free enough for a # to be part of it."""
_REMARK = regex(r"#+(?:\s|[A-Za-z']+[,.:;]? +[A-Za-z(])")
_OPTION = regex(r"\s--?[A-Za-z]")


class DirectiveHashTruncation(Rule):
    """An unquoted `#` cuts a value short.

    ## Why
    For sbatch a `#` begins a comment wherever it stands, in the middle of a word too, unless it is quoted or
    has a backslash before it.  `--container-image=nvcr.io#nvidia/pytorch:25.01-py3`, which is how enroot
    writes a registry, becomes `nvcr.io`, and nothing is said.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --job-name=trial#7  # finding here
    srun hostname
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --job-name="trial#7"
    srun hostname
    ```

    ## Fix
    The value is quoted, up to the next blank; nothing is offered where there is more text behind that.

    ## What it can't know
    Whether the `#` was meant as the beginning of a remark.  Words behind it (`--account=p200# of the group`)
    are taken for one, which does no harm and is passed over unless options are lost with it; so is anything
    behind a number, a time or the like.

    ## References
    - Slurm's src/sbatch/opt.c (`get_argument`)
    """

    code = "SB105"
    name = "directive-hash-truncation"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        for complaint in complaints(job, ComplaintKind.CUT_WORD):
            use = _cut(job, complaint)
            if use is None or use.value_span is None or use.spec.long not in _TEXTS:
                continue
            if not _is_harmless(job, complaint):
                yield self._report(job, complaint, use, use.value_span)

    def _report(self, job: Job, complaint: Complaint, use: OptionUse, value: Span) -> Finding:
        assert complaint.span is not None
        cut = job.source.slice(complaint.span)
        remark = " " in cut.strip() or not re.match(r"#[\w/]", cut)
        kept = use.value or ""
        return self.finding(
            Span(complaint.span.start, complaint.span.start + len(cut.rstrip())),
            f"an unquoted # cuts the value short: --{use.spec.long} becomes {kept!r}",
            label="sbatch takes it for a comment",
            help="put a blank before the #" if remark else "quote the value",
            fix=None if remark else _fix(job, value, complaint.span),
            severity=Severity.WARNING if remark else None,
        )


def _is_harmless(job: Job, complaint: Complaint) -> bool:
    """Tell whether only a remark is cut off."""
    assert complaint.span is not None
    cut = job.source.slice(complaint.span)
    return _REMARK.match(cut) is not None and _OPTION.search(cut) is None


def _cut(job: Job, complaint: Complaint) -> OptionUse | None:
    """The option whose value ends where the comment begins."""
    assert complaint.span is not None
    start = complaint.span.start
    uses = (use for use in job.request.all_uses if use.span is not None and use.span.end == start)
    return next(uses, None)


def _fix(job: Job, value: Span, comment: Span) -> Fix | None:
    whole = Span(value.start, comment.start + len(job.source.slice(comment).rstrip()))
    text = job.source.slice(whole)
    if '"' in text or "\\" in text or "'" in text:
        return None
    return Fix.reviving("quote the value", Edit(whole, f'"{text}"'))
