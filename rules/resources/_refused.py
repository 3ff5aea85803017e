"""What the rules about requests that Slurm refuses have in common."""

from __future__ import annotations

from sbatchlint.api import (
    Complaint,
    Edit,
    Finding,
    Fix,
    Job,
    OptionUse,
    Related,
    Rule,
    Severity,
    said,
    severity_of,
    who_does,
)


def refused(
    rule: Rule, job: Job, complaint: Complaint, what: str, *, label: str, other: str, help: str
) -> Finding:
    """The finding that Slurm refuses the job because of *what*.

    *other* is said of the options that take part.
    """
    assert complaint.span is not None
    return rule.finding(
        complaint.span,
        f"{who_does(job, complaint)} refuses the job: {what}",
        label=label,
        related=[Related(span, other) for span in complaint.related],
        help=help,
        notes=said(complaint),
        severity=severity_of(job, complaint),
    )


def refused_value(
    rule: Rule,
    job: Job,
    complaint: Complaint,
    use: OptionUse,
    *,
    label: str | None = None,
    help: str = "",
    meant: str | None = None,
    severity: Severity | None = None,
) -> Finding:
    """The finding that Slurm refuses the value of *use*, with *meant* to be put in its place, or *help*.

    The label is Slurm's reason if none is given, the severity that of the complaint.
    """
    span = use.value_span or use.span
    assert span is not None
    fix = None
    if meant is not None and use.value_span is not None:
        fix = Fix.safe(f"write {meant}", Edit(use.value_span, meant))
    return rule.finding(
        span,
        f"{who_does(job, complaint)} refuses the job: --{use.spec.long} can't be {use.value or ''!r}",
        label=complaint.detail.partition("\n")[0] if label is None else label,
        help=help if meant is None else f"write {meant}",
        notes=said(complaint),
        fix=fix,
        severity=severity_of(job, complaint) if severity is None else severity,
    )
