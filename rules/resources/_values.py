"""What the rules about refused values have in common."""

from __future__ import annotations

from sbatchlint.api import Complaint, Finding, Fix, Job, OptionUse, Rule, said, severity_of, who_does


def refused_value(
    rule: Rule,
    job: Job,
    complaint: Complaint,
    use: OptionUse,
    *,
    label: str | None = None,
    help: str = "",
    fix: Fix | None = None,
) -> Finding:
    """The finding that Slurm refuses the value of *use*.  The label is Slurm's reason if none is given."""
    span = use.value_span or use.span
    assert span is not None
    value = use.value or ""
    return rule.finding(
        span,
        f"{who_does(job, complaint)} refuses the job: --{use.spec.long} can't be {value!r}",
        label=complaint.detail.partition("\n")[0] if label is None else label,
        help=help,
        notes=said(complaint),
        fix=fix,
        severity=severity_of(job, complaint),
    )
