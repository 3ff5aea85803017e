"""How the ranks of a program are laid out, in a row of the plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Program, Step
from sbatchlint.records import dataclass
from sbatchlint.report.plan_layout import columns
from sbatchlint.report.plan_model import PlannedFile
from sbatchlint.report.plan_rows import Rows
from sbatchlint.report.plan_words import Kind, Piece, Word
from sbatchlint.training.constraints.base import Constraint
from sbatchlint.training.constraints.batches import microbatches
from sbatchlint.training.constraints.grids import DENSE, DENSE_GRID, EXPERT, EXPERT_GRID
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Reading
from sbatchlint.training.runs import TrainingRun
from sbatchlint.training.violations import violation

_HANG = 2
_EXPERTS = (Quantity.ETP, Quantity.EP)
_BATCH = (Quantity.GBS, Quantity.MBS)
_TOLD = (*DENSE, *_EXPERTS, Quantity.VPP, *_BATCH, Quantity.SEQ_LENGTH)
_KINDS = {Certainty.KNOWN: Kind.KNOWN, Certainty.ASSUMED: Kind.ASSUMED, Certainty.UNKNOWN: Kind.UNKNOWN}


@dataclass(frozen=True, slots=True)
class Microbatches:
    """How many microbatches each copy of the model computes in a step."""

    count: int
    certainty: Certainty


def told_run(file: PlannedFile, step: Step | None, program: Program) -> TrainingRun | None:
    """Return the training run of *program*, if a number of its layout is told: by an option or a recipe."""
    run = file.run_of(step, program)
    return run if run is not None and any(run.layout[quantity].told for quantity in _TOLD) else None


def _together(part: list[Word], room: int) -> list[Word]:
    """Make one word of a part, so that no line breaks in it, where a line has room for it."""
    joined = part[0]
    for word in part[1:]:
        joined = (*joined, Piece(Kind.KNOWN, " "), *word)
    return [joined] if columns(joined) <= room - _HANG else part


def microbatches_of(layout: Parallelism) -> Microbatches | None:
    """Return the microbatches of *layout*; None where they are not known, or GBS can't be shared out."""
    readings = [layout[quantity] for quantity in (Quantity.WORLD_SIZE, *DENSE, *_BATCH)]
    numbers = {one.quantity: one.value for one in readings if one.value is not None}
    if len(numbers) < len(readings):
        return None
    count = microbatches(numbers)
    return None if count is None else Microbatches(count, max(one.certainty for one in readings))


def layout_rows(rows: Rows, file: PlannedFile, step: Step | None, program: Program) -> Iterator[str]:
    """Write the layout of *program*; nothing for one that is told none."""
    run = told_run(file, step, program)
    if run is None:
        return
    *parts, last = _parts(run.layout)
    ended = [[*part[:-1], (*part[-1], Piece(Kind.KNOWN, ";"))] for part in parts]
    words = [word for part in (*ended, last) for word in _together(part, rows.room)]
    yield from rows.words("layout", words)
    for note in _notes(run.layout):
        yield from rows.text("", f"({note})", rows.style.assumed)


def _parts(layout: Parallelism) -> Iterator[list[Word]]:
    """Yield what there is to say, each part in words that are not broken."""
    if any(layout[quantity].known or layout[quantity].given for quantity in DENSE):
        yield _grid(layout, DENSE_GRID, [layout[quantity] for quantity in DENSE], layout.dp)
    if any(layout[quantity].told for quantity in _EXPERTS):
        factors = [
            layout[quantity] for quantity in EXPERT if quantity in _EXPERTS or layout[quantity].value != 1
        ]
        first, *rest = _grid(layout, EXPERT_GRID, factors, layout.edp)
        yield [(Piece(Kind.KNOWN, "experts:"),), first, *rest]
    if layout[Quantity.VPP].told:
        yield [_named(layout[Quantity.VPP])]
    yield from _batch(layout)
    if layout[Quantity.SEQ_LENGTH].told:
        yield [(Piece(Kind.KNOWN, "sequence "), _number(layout[Quantity.SEQ_LENGTH]))]


def _grid(
    layout: Parallelism, constraint: Constraint, factors: Sequence[Reading], copies: Reading
) -> list[Word]:
    """Say a grid as a product with its copies; where the ranks are no multiple of it, that."""
    broken = violation(layout, constraint)
    if broken is not None:
        return [(Piece(Kind.KNOWN, word),) for word in broken.text.split()]
    return _product([_named(one) for one in (*factors, copies)])


def _batch(layout: Parallelism) -> Iterator[list[Word]]:
    gbs, mbs = (layout[quantity] for quantity in _BATCH)
    told = [_named(one) for one in (gbs, mbs) if one.known or one.given]
    found, copies = microbatches_of(layout), layout.dp.value
    if found is None or copies is None or found.count * copies * (mbs.value or 0) != gbs.value:
        yield from ([word] for word in told)
        return
    what = "microbatch" if found.count == 1 else "microbatches"
    each = (Piece(_KINDS[found.certainty], str(found.count)), Piece(Kind.KNOWN, f" {what}"))
    first, *rest = _product([_named(mbs), _named(layout.dp), each])
    yield [(*_named(gbs), Piece(Kind.KNOWN, " =")), first, *rest]


def _product(factors: Sequence[Word]) -> list[Word]:
    first, *rest = factors
    return [first, *((Piece(Kind.KNOWN, "x "), *word) for word in rest)]


def _named(reading: Reading) -> Word:
    return (Piece(Kind.KNOWN, f"{reading.quantity.symbol} "), _number(reading))


def _number(reading: Reading) -> Piece:
    text = "|".join(map(str, reading.values)) or "?"
    return Piece(_KINDS[reading.certainty], f"{{{text}}}" if len(reading.values) > 1 else text)


def _notes(layout: Parallelism) -> Iterator[str]:
    """Say which numbers rest on something outside the script."""
    experts = any(layout[quantity].told for quantity in _EXPERTS)
    shown = [one for one in (*_TOLD, Quantity.WORLD_SIZE) if experts or one not in _EXPERTS]
    readings = [layout[quantity] for quantity in shown]
    assumed = [one for one in readings if one.known and one.certainty is Certainty.ASSUMED]
    own = [_name(one.quantity) for one in assumed if not one.recipe]
    if own:
        yield f"assumed: {', '.join(own)}"
    for recipe in dict.fromkeys(one.recipe for one in assumed if one.recipe):
        names = [_name(one.quantity) for one in assumed if one.recipe == recipe]
        yield f"assumed, from the recipe {recipe}: {', '.join(names)}"


def _name(quantity: Quantity) -> str:
    return {Quantity.WORLD_SIZE: "the ranks", Quantity.SEQ_LENGTH: "sequence"}.get(quantity, quantity.symbol)


__all__ = ["Microbatches", "layout_rows", "microbatches_of", "told_run"]
