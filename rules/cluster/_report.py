"""What the rules about the cluster have in common."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Certainty, Finding, Job, Misfit, MisfitKind, Outcome, Related, Rule, Severity

_BECOMES = {
    Outcome.REFUSED: "the cluster refuses the job",
    Outcome.WAITS: "the job waits for ever",
    Outcome.UNSURE: "the cluster refuses the job or lets it wait for ever",
}


def misfits(rule: Rule, job: Job, *kinds: MisfitKind) -> Iterator[Finding]:
    """Yield a finding for each misfit of these kinds."""
    for misfit in job.misfits:
        if misfit.kind in kinds:
            yield _finding(rule, job, misfit)


def _finding(rule: Rule, job: Job, misfit: Misfit) -> Finding:
    directives = job.request.directives.lines
    nowhere = directives[0].span if directives else job.source.line_span(1)
    where = f" in partition {' and '.join(misfit.partitions)}" if misfit.partitions else ""
    offered = f"; there is {misfit.offered}" if misfit.offered else ""
    return rule.finding(
        misfit.span or nowhere,
        f"{_BECOMES[misfit.outcome]}: {misfit.kind.value} ({misfit.asked}{where}{offered})",
        label=misfit.offered,
        related=[Related(span, "takes part") for span in misfit.related],
        help=_help(misfit),
        notes=_notes(misfit),
        severity=None if misfit.certainty is Certainty.KNOWN else Severity.WARNING,
    )


def _help(misfit: Misfit) -> str:
    if misfit.near:
        return f"did you mean {misfit.near!r}?"
    if misfit.choices:
        return f"one of {', '.join(misfit.choices)}"
    return "ask for what the cluster has, or correct its profile"


def _notes(misfit: Misfit) -> tuple[str, ...]:
    notes = [f"sbatch: error: {line}" for line in misfit.said.splitlines() if line]
    if misfit.reason:
        notes.append(f"squeue gives the reason {misfit.reason}")
    return tuple(notes)
