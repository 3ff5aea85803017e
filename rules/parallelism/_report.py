"""How a layout that does not fit is told: the same words for both grids."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sbatchlint.api import (
    Certainty,
    Finding,
    FrameworkName,
    Job,
    Mismatch,
    Reading,
    Related,
    Rule,
    Severity,
    Span,
    TrainingRun,
    World,
    idle_gpus,
    least_world_of,
    legal_nodes,
)

Check = Callable[[World, TrainingRun], "Mismatch | None"]
"""What is wrong with a run's layout in its world."""


def findings(rule: Rule, job: Job, check: Check) -> Iterator[Finding]:
    """Yield a finding for each run of *job* that *check* finds a mismatch in, once for each place.

    A step that leaves GPUs idle is SB302's: its world is too small for another reason.
    """
    seen: set[tuple[Span, str]] = set()
    for run in job.runs:
        if run.world is None or idle_gpus(run) is not None:
            continue
        mismatch = check(run.world, run)
        finding = _finding(rule, run, mismatch) if mismatch is not None else None
        if finding is not None and (finding.span, finding.message) not in seen:
            seen.add((finding.span, finding.message))
            yield finding


def _finding(rule: Rule, run: TrainingRun, mismatch: Mismatch) -> Finding | None:
    start = run.step.span if run.step is not None else run.program.span
    span = mismatch.culprit.span or start
    if span is None:
        return None
    conditional = run.step is not None and run.step.conditional
    sure = mismatch.certainty is Certainty.KNOWN and not conditional
    return rule.finding(
        span,
        f"world size {mismatch.world.ranks} is not divisible by {mismatch.sum}",
        label=_label(mismatch),
        related=_related(mismatch, span, start),
        help=_help(run, mismatch),
        notes=_notes(run, mismatch),
        severity=Severity.ERROR if sure else Severity.WARNING,
    )


def _label(mismatch: Mismatch) -> str:
    symbols = " x ".join(factor.quantity.symbol for factor in mismatch.factors)
    if mismatch.product is None:
        return f"the number of ranks must be a multiple of {symbols}"
    return f"the number of ranks must be a multiple of {symbols} = {mismatch.product}"


def _related(mismatch: Mismatch, span: Span, start: Span | None) -> tuple[Related, ...]:
    places = {term.span: term.message for term in mismatch.world.terms}
    for factor in mismatch.factors:
        if factor.given and factor.span is not None and max(factor.values) > 1:
            places.setdefault(factor.span, factor.show())
    if start is not None:
        places.setdefault(start, mismatch.world.sum)
    value_span = mismatch.culprit.value_span
    if value_span is not None:
        places.setdefault(value_span, mismatch.culprit.show())
    return tuple(Related(place, message) for place, message in places.items() if place != span)


def _help(run: TrainingRun, mismatch: Mismatch) -> str:
    world = mismatch.world
    symbols = " x ".join(factor.quantity.symbol for factor in mismatch.factors)
    if run.step is None and not run.program.launchers:
        return "start one process for each rank, with srun or torchrun"
    nodes = run.step.geometry.nodes if run.step is not None else None
    if world.alone and nodes is not None and nodes.value > 1:
        return "pass --nnodes and the address of the first node, so that the nodes form one world"
    least = least_world_of(run.quantities, run.framework)
    if least is None or mismatch.unknown or not world.per_node:
        return f"change the number of ranks, or make {symbols} a divisor of {world.ranks}"
    counts = legal_nodes(least, world.per_node, world.ranks // world.per_node)
    shown = " or ".join(f"{nodes} ({nodes * world.per_node} ranks)" for nodes in counts)
    return f"set the number of nodes to {shown}, or make {symbols} a divisor of {world.ranks}"


def _notes(run: TrainingRun, mismatch: Mismatch) -> list[str]:
    doubted = [one for one in mismatch.factors if one.given and one.certainty is not Certainty.KNOWN]
    notes = [_doubt(factor) for factor in doubted if max(factor.values) > 1]
    if run.framework.name is FrameworkName.UNKNOWN:
        notes.append("the program is not known, but its options have the names that Megatron-Core gives them")
    elif mismatch.world.certainty is not Certainty.KNOWN:
        notes.append(f"the world size rests on a default or a condition: {mismatch.world.sum}")
    if mismatch.unknown:
        symbols = " and ".join(quantity.symbol for quantity in mismatch.unknown)
        verb = "is" if len(mismatch.unknown) == 1 else "are"
        notes.append(f"{symbols} {verb} not told by the script; no value of it mends this")
    return notes


def _doubt(factor: Reading) -> str:
    if factor.overridable:
        return f"{factor.show()} may be overridden by words that the script does not tell"
    return f"{factor.show()} is a default that the environment may override"
