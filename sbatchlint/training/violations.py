"""What is surely wrong with a layout of which not everything may be known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from math import lcm, prod

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.training.constraints import CONSTRAINTS, WASTEFUL, broken_by, grids
from sbatchlint.training.constraints.base import Constraint, Numbers
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Reading

_MOST = 256
"""More combinations, or numbers of nodes, than these are not looked through."""
_FARTHEST = 4096
"""No value farther away from the given one is tried."""
_BATCHES = (Quantity.GBS, Quantity.EVAL_GBS)
"""What may have to be many times as large."""
_ASKED_BY = {grids.EXPERT_GRID.name: (Quantity.EP, Quantity.ETP)}
"""Without one of these the grid of the experts is the dense one, or a part of it."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A constraint that a layout breaks, whatever is not known of it."""

    constraint: Constraint
    text: str
    """The sum that does not come out: ``world size 16 is not divisible by TP 4 x PP 8 = 32``."""
    readings: tuple[Reading, ...]
    """The numbers that it rests on."""
    unknown: tuple[Quantity, ...]
    """Factors that the script does not tell; no value of them mends it."""
    certainty: Certainty
    """How sure it is: the worst of all that it rests on."""

    @property
    def factors(self) -> tuple[Reading, ...]:
        """The numbers without the ranks."""
        return tuple(one for one in self.readings if one.quantity is not Quantity.WORLD_SIZE)

    @property
    def product(self) -> int | None:
        """What the ranks should be a multiple of, if it can be only one number."""
        numbers = {prod(values) for values in product(*(factor.values for factor in self.factors))}
        return numbers.pop() if len(numbers) == 1 else None

    @property
    def culprit(self) -> Reading:
        """The given number to point to: one that can be changed, the greatest of the factors of a grid."""
        given = [one for one in self.factors if one.told and one.span is not None]
        if self.constraint.factors and Quantity.WORLD_SIZE in self.constraint.mends:
            return max(given or self.factors, key=lambda one: max(one.values))
        wanted = [one for name in self.constraint.mends for one in given if one.quantity is name]
        return (wanted or given or list(self.factors))[0]


def violations(
    layout: Parallelism, constraints: Iterable[Constraint] = (*CONSTRAINTS, *WASTEFUL)
) -> Iterator[Violation]:
    """Yield each of *constraints* that *layout* breaks."""
    for constraint in constraints:
        found = violation(layout, constraint)
        if found is not None:
            yield found


def violation(layout: Parallelism, constraint: Constraint) -> Violation | None:
    """Return how *layout* breaks *constraint*; None if it does not, or if that is not sure."""
    if not all(layout[quantity].known for quantity in constraint.needs):
        return None
    if any(not layout[quantity].absent for quantity in constraint.without):
        return None
    needed = [layout[quantity] for quantity in constraint.needs]
    extra = [layout[quantity] for quantity in constraint.optional]
    factors = [layout[quantity] for quantity in constraint.factors]
    if not all(one.known or one.absent for one in extra):
        return None
    readings = [one for one in (*needed, *extra, *factors) if one.known]
    asked_by = _ASKED_BY.get(constraint.name)
    told = [one for one in readings if one.told]
    if not any(asked_by is None or one.quantity in asked_by for one in told):
        return None
    texts = _texts(constraint, readings)
    if texts is None:
        return None
    # A factor of 1 carries nothing: the sum does not come out without it.
    carrying = [one for one in readings if one not in factors or max(one.values) > 1]
    certainty = max(one.certainty for one in carrying)
    unknown = tuple(one.quantity for one in factors if not one.known and not one.absent)
    return Violation(constraint, ", or ".join(texts), tuple(readings), unknown, certainty)


def _texts(constraint: Constraint, readings: list[Reading]) -> list[str] | None:
    """What is wrong with each combination of what the numbers may be; None if one of them is all right."""
    names = [one.quantity for one in readings]
    if prod(len(one.values) for one in readings) > _MOST:
        return None
    found: dict[str, None] = {}
    for values in product(*(one.values for one in readings)):
        text = constraint.check(dict(zip(names, values, strict=True)))
        if text is None:
            return None
        found[text] = None
    return list(found)


def legal_values(layout: Parallelism, found: Violation, quantity: Quantity) -> list[int]:
    """Return the next values of *quantity*, below and above, that mend *found* and break nothing else.

    What is broken already does not count.  Empty where *quantity* or a number that it hangs on may be one
    of several.
    """
    now = layout[quantity].value
    if now is None or any(one.value is None for one in found.readings):
        return []
    below = range(now - 1, max(0, now - _FARTHEST), -1)
    most = now + _FARTHEST if quantity in _BATCHES else min(4 * now, now + _FARTHEST)
    above = range(now + 1, most + 1)
    return _next_legal(layout, found, quantity, below, above)


def legal_nodes(layout: Parallelism, found: Violation, per_node: int) -> list[int]:
    """Return the next numbers of nodes, below and above, with *per_node* ranks each, that mend *found*.

    Both grids come out with them, and, if there are such not far away, all else that hangs on the ranks.
    """
    ranks, least = layout[Quantity.WORLD_SIZE].value, layout.least_world
    if ranks is None or least is None or found.unknown:
        return []
    unit = lcm(least, per_node)
    below = range((ranks - 1) // unit * unit, 0, -unit)
    above = range(ranks // unit * unit + unit, 4 * max(ranks, unit) + 1, unit)
    worlds = _next_legal(layout, found, Quantity.WORLD_SIZE, below[:_MOST], above[:_MOST])
    return [world // per_node for world in worlds or [*below[:1], *above[:1]]]


def mends(layout: Parallelism, found: Violation, changes: Numbers, *, spared: bool = False) -> bool:
    """Tell whether *changes* mend *found* and break nothing else.

    What is broken already does not count where it hangs on none of them, or, if *spared*, at all.
    """
    numbers = _numbers(layout)
    broken = {one.name for one, _ in broken_by(numbers) if spared or changes.keys().isdisjoint(one.asked)}
    changed = {**numbers, **changes}
    if found.constraint.check(changed) is not None:
        return False
    return all(constraint.name in broken for constraint, _ in broken_by(changed))


def _next_legal(
    layout: Parallelism, found: Violation, quantity: Quantity, below: range, above: range
) -> list[int]:
    """The first value of *below* and of *above* that leaves nothing broken that hangs on *quantity*.

    If there is none, the first that mends *found* and breaks nothing else.
    """
    for spared in (False, True):
        legal = (
            (value for value in values if mends(layout, found, {quantity: value}, spared=spared))
            for values in (below, above)
        )
        nearest = [value for values in legal for value in islice(values, 1)]
        if nearest:
            return nearest
    return []


def _numbers(layout: Parallelism) -> dict[Quantity, int]:
    readings = (layout[one] for one in Quantity if one not in (Quantity.DP, Quantity.EDP))
    return {one.quantity: one.value for one in readings if one.value is not None}
