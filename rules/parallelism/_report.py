"""How a layout that does not fit is told: the same words for all constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sbatchlint.api import (
    RECIPES_REVISION,
    Certainty,
    Confidence,
    Constraint,
    Finding,
    Fix,
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
    grids,
    idle_gpus,
    violation,
)

from ._help import help_of, is_grid

Advice = Callable[[TrainingRun, Violation], str | None]
"""What to do about it, in a rule's own words; None for the words that all share."""
Mender = Callable[[Job, TrainingRun, Violation], Fix | None]
"""How to repair it in the script; None where nothing is offered."""


def _always(run: TrainingRun) -> bool:
    """Ask nothing of *run*."""
    return True


def findings(
    rule: Rule,
    job: Job,
    *constraints: Constraint,
    unless: tuple[Constraint, ...] = (),
    only: Callable[[TrainingRun], bool] = _always,
    advice: Advice | None = None,
    mender: Mender | None = None,
    confidence: Confidence = Confidence.HIGH,
) -> Iterator[Finding]:
    """Yield a finding for the first of *constraints* that a run of *job* breaks, once for each place.

    A run that breaks one of *unless* is another rule's.  A step that leaves GPUs idle is SB302's: its
    world is too small for another reason.
    """
    seen: set[tuple[Span, str]] = set()
    for run in filter(only, job.runs):
        found = _first(run, constraints, unless) if _is_whole(job, run) else None
        place = _place(run, found) if found is not None else None
        if found is None or place is None or (place, found.text) in seen:
            continue
        seen.add((place, found.text))
        yield rule.finding(
            place,
            found.text,
            label=_label(run, found),
            related=_related(run, found, place),
            help=(advice(run, found) if advice is not None else None) or help_of(run, found),
            notes=_notes(run, found, rule.severity),
            fix=mender(job, run, found) if mender is not None else None,
            severity=_severity(rule, run, found),
            confidence=Confidence.MEDIUM if _by_recipe(found) else confidence,
        )


def _by_recipe(found: Violation) -> list[Reading]:
    """The numbers that a recipe sets, of which a checkout of another revision may have others.

    A factor of 1 of a grid is none: the sum does not come out without it.
    """
    without = found.constraint.factors
    return [
        one for one in found.factors if one.recipe and (max(one.values) > 1 or one.quantity not in without)
    ]


def _first(
    run: TrainingRun, constraints: tuple[Constraint, ...], unless: tuple[Constraint, ...]
) -> Violation | None:
    layout = run.layout
    if any(violation(layout, constraint) is not None for constraint in unless):
        return None
    broken = (found for one in constraints if (found := violation(layout, one)) is not None)
    first = next(broken, None)
    if first is not None and _asks_ranks(first) and idle_gpus(run) is not None:
        return None
    return first


def _is_whole(job: Job, run: TrainingRun) -> bool:
    """Tell whether the script shows how *run* is started: without directives another script may start it."""
    return run.step is not None or bool(run.program.launchers) or bool(job.request.directives.lines)


def _asks_ranks(found: Violation) -> bool:
    return Quantity.WORLD_SIZE in found.constraint.needs


def _place(run: TrainingRun, found: Violation) -> Span | None:
    return found.culprit.span or run.span


def _severity(rule: Rule, run: TrainingRun, found: Violation) -> Severity:
    if rule.severity is not Severity.ERROR or _is_sure(run, found):
        return rule.severity
    return Severity.WARNING


def _is_sure(run: TrainingRun, found: Violation) -> bool:
    """Tell whether *run* certainly breaks it: the numbers are known, it is started, and it checks them.

    Of a script that is only given Megatron's options it is not known what else it does with them; the
    ranks have to come out even so.
    """
    started = run.step is None or not run.step.conditional
    checks = is_grid(found) or (_is_known(run) and not run.program.doubtful)
    return found.certainty is Certainty.KNOWN and started and checks


def _is_known(run: TrainingRun) -> bool:
    """Tell whether the script that *run* starts is known, not only its options."""
    return run.framework.by_script or run.framework.name is not FrameworkName.MEGATRON_LM


def _label(run: TrainingRun, found: Violation) -> str:
    if found.culprit.quantity is Quantity.SP:
        return "switched off again"
    if not is_grid(found):
        return _copies(run, found) or found.culprit.show()
    symbols = " x ".join(factor.quantity.symbol for factor in found.factors)
    if found.product is None:
        return f"the number of ranks must be a multiple of {symbols}"
    return f"the number of ranks must be a multiple of {symbols} = {found.product}"


def _copies(run: TrainingRun, found: Violation) -> str | None:
    """How many copies of the model there are, as a sum: ``DP is 32 ranks / (TP 4 x PP 2) = 4``."""
    if not _asks_ranks(found) or run.world is None:
        return None
    of_experts = Quantity.EP in found.constraint.needs
    copies = run.layout.edp if of_experts else run.layout.dp
    if copies.value is None:
        return None
    factors = [run.layout[one] for one in (grids.EXPERT if of_experts else grids.DENSE)]
    shown = [one.show() for one in factors if one.value != 1]
    divided = f" / ({' x '.join(shown)})" if len(shown) > 1 else "".join(f" / {one}" for one in shown)
    end = f" = {copies.value}" if shown else ""
    return f"{copies.quantity.symbol} is {run.world.ranks} ranks{divided}{end}"


def _related(run: TrainingRun, found: Violation, span: Span) -> tuple[Related, ...]:
    world = run.world if _asks_ranks(found) else None
    places = {term.span: term.message for term in world.terms} if world is not None else {}
    for factor in found.factors:
        if factor.given and factor.span is not None and max(factor.values) > 1:
            places.setdefault(factor.span, factor.show())
    by_recipe = _by_recipe(found)
    for factor in by_recipe:
        if factor.span is not None:
            places[factor.span] = f"sets {', '.join(one.show() for one in by_recipe)}"
    if run.span is not None and world is not None:
        places.setdefault(run.span, world.sum)
    value_span = found.culprit.value_span
    if value_span is not None:
        places.setdefault(value_span, found.culprit.show())
    return tuple(Related(place, message) for place, message in places.items() if place != span)


def _notes(run: TrainingRun, found: Violation, severity: Severity) -> list[str]:
    stops = severity is Severity.ERROR and found.constraint.says and not is_grid(found)
    notes = [f'Megatron stops with: "{found.constraint.says}"'] if stops else []
    doubted = [one for one in found.factors if one.given and one.certainty is not Certainty.KNOWN]
    notes += [_doubt(factor) for factor in doubted if max(factor.values) > 1]
    etp = next((one for one in found.factors if one.quantity is Quantity.ETP), None)
    if etp is not None and not etp.told and max(etp.values) > 1:
        notes.append(
            "ETP is not given, and TP is taken for it: --expert-tensor-parallel-size 1 is another way"
        )
    by_recipe = _by_recipe(found)
    if by_recipe:
        shown = ", ".join(factor.show() for factor in by_recipe)
        notes.append(f"{shown}: so says {by_recipe[0].recipe} of Megatron-Bridge@{RECIPES_REVISION}")
    if run.framework.name is FrameworkName.UNKNOWN:
        notes.append("the program is not known, but its options have the names that Megatron-Core gives them")
        return notes + _missing(found)
    if not is_grid(found) and not _is_known(run):
        notes.append("the script is not known, but it is given Megatron-LM's options")
    if _asks_ranks(found) and run.world is not None and run.world.certainty is not Certainty.KNOWN:
        notes.append(f"the world size rests on a default or a condition: {run.world.sum}")
    return notes + _missing(found)


def _missing(found: Violation) -> list[str]:
    if not found.unknown:
        return []
    symbols = " and ".join(quantity.symbol for quantity in found.unknown)
    verb = "is" if len(found.unknown) == 1 else "are"
    return [f"{symbols} {verb} not told by the script; no value of it mends this"]


def _doubt(factor: Reading) -> str:
    if factor.overridable:
        return f"{factor.show()} may be overridden by words that the script does not tell"
    return f"{factor.show()} is a default that the environment may override"
