"""Where a finding of a policy points: at what the expression has read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.lint.finding import Related
from sbatchlint.lint.job import Job
from sbatchlint.policy.evaluate import Outcome
from sbatchlint.policy.variables import JOB
from sbatchlint.slurm.option_use import OptionUse, Origin
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

Reads = Sequence[tuple[str, str]]


def option_uses(request: JobRequest, reads: Reads) -> list[OptionUse]:
    """Return the options, as they are given, that an expression's *reads* rest on."""
    found: dict[str, OptionUse] = {}
    for name in _option_names(reads):
        use = _get(request, name)
        if use is not None:
            found.setdefault(use.spec.long, use)
    return list(found.values())


def _with_keys(reads: Reads, keys: Sequence[str]) -> Reads:
    """Return *reads* with the options of ``job.options`` that decided, first."""
    return [*(("options", key) for key in keys), *reads] if ("job", "options") in reads else reads


def _option_names(reads: Reads) -> Iterator[str]:
    for thing, name in reads:
        if thing == "options":
            yield name
        field = JOB.get(name) if thing == "job" else None
        yield from () if field is None else field.options


def _get(request: JobRequest, name: str) -> OptionUse | None:
    try:
        return request.get(name)
    except KeyError:
        return None


def places(job: Job, request: JobRequest, reads: Reads, outcome: Outcome) -> tuple[Span, tuple[Related, ...]]:
    """Return the best place for a finding, and others that explain it."""
    things = [thing.span for thing in outcome.decisive if thing.span is not None]
    uses = option_uses(request, _with_keys(reads, outcome.keys))
    written = [(use.span, f"--{use.spec.long} is given here") for use in uses if use.span is not None]
    about_steps = any(thing not in ("job", "options", "script", "cluster") for thing, _ in reads)
    found: list[tuple[Span, str]] = [(span, "and here") for span in dict.fromkeys(things)]
    found += written
    if not found and about_steps:
        found = [(step.span, "") for step in job.plan.steps[:1]]
    if not found:
        return _top(job), ()
    related = [Related(span, says) for span, says in found[1:] if span != found[0][0]]
    return found[0][0], tuple(related)


def _top(job: Job) -> Span:
    """Return the first directive, else the first line."""
    lines = job.request.directives.lines
    if lines:
        return lines[0].span
    return job.source.line_span(1)


def from_outside(uses: Sequence[OptionUse]) -> str:
    """Say which of *uses* are not written in the script; empty where all are."""
    told = []
    for use in uses:
        if use.origin is Origin.COMMAND_LINE:
            told.append(f"--{use.spec.long} is given on the command line")
        elif use.origin is Origin.ENVIRONMENT:
            told.append(f"--{use.spec.long} is set by {use.variable or 'the environment'}")
    return "; ".join(told)
