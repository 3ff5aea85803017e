"""How a layout that does not fit is told: the same words for all constraints."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Constraint,
    Finding,
    FrameworkName,
    Job,
    Quantity,
    Reading,
    Related,
    Rule,
    Severity,
    Span,
    TrainingRun,
    Violation,
    World,
    idle_gpus,
    legal_nodes,
    legal_values,
    violation,
)


def findings(
    rule: Rule, job: Job, *constraints: Constraint, unless: tuple[Constraint, ...] = ()
) -> Iterator[Finding]:
    """Yield a finding for the first of *constraints* that a run of *job* breaks, once for each place.

    A run that breaks one of *unless* is another rule's.  A step that leaves GPUs idle is SB302's: its
    world is too small for another reason.
    """
    seen: set[tuple[Span, str]] = set()
    for run in job.runs:
        layout = run.layout
        if any(violation(layout, constraint) is not None for constraint in unless):
            continue
        broken = [found for one in constraints if (found := violation(layout, one)) is not None]
        if not broken or (_asks_ranks(broken[0]) and idle_gpus(run) is not None):
            continue
        finding = _finding(rule, run, broken[0])
        if finding is not None and (finding.span, finding.message) not in seen:
            seen.add((finding.span, finding.message))
            yield finding


def _asks_ranks(found: Violation) -> bool:
    return Quantity.WORLD_SIZE in found.constraint.needs


def _is_grid(found: Violation) -> bool:
    return found.constraint.mends[0] is Quantity.WORLD_SIZE


def _finding(rule: Rule, run: TrainingRun, found: Violation) -> Finding | None:
    start = run.step.span if run.step is not None else run.program.span
    span = found.culprit.span or start
    if span is None:
        return None
    conditional = run.step is not None and run.step.conditional
    sure = found.certainty is Certainty.KNOWN and not conditional
    severity = Severity.WARNING if rule.severity is Severity.ERROR and not sure else rule.severity
    return rule.finding(
        span,
        found.text,
        label=_label(found),
        related=_related(run, found, span, start),
        help=_help(run, found),
        notes=_notes(run, found),
        severity=severity,
    )


def _label(found: Violation) -> str:
    if not _is_grid(found):
        return found.culprit.show()
    symbols = " x ".join(factor.quantity.symbol for factor in found.factors)
    if found.product is None:
        return f"the number of ranks must be a multiple of {symbols}"
    return f"the number of ranks must be a multiple of {symbols} = {found.product}"


def _related(run: TrainingRun, found: Violation, span: Span, start: Span | None) -> tuple[Related, ...]:
    world = run.world if _asks_ranks(found) else None
    places = {term.span: term.message for term in world.terms} if world is not None else {}
    for factor in found.factors:
        if factor.given and factor.span is not None and max(factor.values) > 1:
            places.setdefault(factor.span, factor.show())
    if start is not None and world is not None:
        places.setdefault(start, world.sum)
    value_span = found.culprit.value_span
    if value_span is not None:
        places.setdefault(value_span, found.culprit.show())
    return tuple(Related(place, message) for place, message in places.items() if place != span)


def _help(run: TrainingRun, found: Violation) -> str:
    if _is_grid(found) and run.world is not None:
        return _help_with_ranks(run, run.world, found)
    for quantity in found.constraint.mends:
        values = legal_values(run.layout, found, quantity) if run.layout[quantity].given else []
        if values:
            return f"set {quantity.symbol} to {' or '.join(map(str, values))}"
    return f"change {' or '.join(quantity.symbol for quantity in found.constraint.mends)}"


def _help_with_ranks(run: TrainingRun, world: World, found: Violation) -> str:
    symbols = " x ".join(factor.quantity.symbol for factor in found.factors)
    if run.step is None and not run.program.launchers:
        return "start one process for each rank, with srun or torchrun"
    nodes = run.step.geometry.nodes if run.step is not None else None
    if world.alone and nodes is not None and nodes.value > 1:
        return "pass --nnodes and the address of the first node, so that the nodes form one world"
    least = run.layout.least_world
    if least is None or found.unknown or not world.per_node:
        return f"change the number of ranks, or make {symbols} a divisor of {world.ranks}"
    counts = legal_nodes(least, world.per_node, world.ranks // world.per_node)
    shown = " or ".join(f"{nodes} ({nodes * world.per_node} ranks)" for nodes in counts)
    return f"set the number of nodes to {shown}, or make {symbols} a divisor of {world.ranks}"


def _notes(run: TrainingRun, found: Violation) -> list[str]:
    notes = [f'Megatron stops with: "{found.constraint.says}"'] if _stops(found) else []
    doubted = [one for one in found.factors if one.given and one.certainty is not Certainty.KNOWN]
    notes += [_doubt(factor) for factor in doubted if max(factor.values) > 1]
    if run.framework.name is FrameworkName.UNKNOWN:
        notes.append("the program is not known, but its options have the names that Megatron-Core gives them")
    elif _asks_ranks(found) and run.world is not None and run.world.certainty is not Certainty.KNOWN:
        notes.append(f"the world size rests on a default or a condition: {run.world.sum}")
    if found.unknown:
        symbols = " and ".join(quantity.symbol for quantity in found.unknown)
        verb = "is" if len(found.unknown) == 1 else "are"
        notes.append(f"{symbols} {verb} not told by the script; no value of it mends this")
    return notes


def _stops(found: Violation) -> bool:
    return bool(found.constraint.says) and not _is_grid(found)


def _doubt(factor: Reading) -> str:
    if factor.overridable:
        return f"{factor.show()} may be overridden by words that the script does not tell"
    return f"{factor.show()} is a default that the environment may override"
