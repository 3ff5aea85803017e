"""Whether a world can be laid out as asked: the divisions that Megatron-Core makes at its start.

The dense grid needs a multiple of TP x PP x CP ranks, the grid of the experts a multiple of
ETP x EP x PP; both are laid over the same ranks (``megatron/core/parallel_state.py``,
``initialize_model_parallel``).  A factor that is not known is a whole number all the same, so ranks
that the known factors do not divide are wrong whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd, lcm, prod

from sbatchlint.certainty import Certainty
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.ranks import World

DENSE = (Quantity.TP, Quantity.PP, Quantity.CP)
EXPERT = (Quantity.ETP, Quantity.EP, Quantity.PP)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A grid that the ranks cannot be laid out on."""

    world: World
    factors: tuple[Reading, ...]
    """The factors that are known, in the order of the grid."""
    unknown: tuple[Quantity, ...]
    """The factors that the script does not tell."""
    certainty: Certainty
    """How sure it is: the worst of all that it rests on."""

    @property
    def product(self) -> int | None:
        """What the ranks should be a multiple of, if it can be only one number."""
        numbers = {prod(values) for values in product(*(factor.values for factor in self.factors))}
        return numbers.pop() if len(numbers) == 1 else None

    @property
    def sum(self) -> str:
        """The product spelled out: ``TP 4 x PP 8 x CP 1 = 32``."""
        text = " x ".join(factor.show() for factor in self.factors)
        return text if self.product is None else f"{text} = {self.product}"

    @property
    def culprit(self) -> Reading:
        """The given factor to point to: the greatest."""
        given = [factor for factor in self.factors if factor.given and factor.span is not None]
        return max(given or self.factors, key=lambda factor: max(factor.values))


def dense_mismatch(world: World, quantities: Quantities) -> Mismatch | None:
    """Return what is wrong with TP, PP and CP in *world*; None if nothing is, or nothing is sure."""
    return _mismatch(world, [quantities[quantity] for quantity in DENSE])


def expert_mismatch(world: World, quantities: Quantities, framework: Framework) -> Mismatch | None:
    """Return what is wrong with ETP, EP and PP in *world*; None if nothing is, or nothing is sure."""
    expert = quantities[Quantity.EP]
    if not expert.given and not quantities[Quantity.ETP].given:
        return None  # the same grid as the dense one, or a part of it
    return _mismatch(world, [expert_tensor(quantities, framework), expert, quantities[Quantity.PP]])


def expert_tensor(quantities: Quantities, framework: Framework) -> Reading:
    """Return ETP: as given, else the framework's default.

    Megatron-Core takes TP.  Megatron-Bridge takes 1 where EP is greater than 1, but its recipes may set it.
    """
    reading = quantities[Quantity.ETP]
    if reading.given or framework.name is FrameworkName.MEGATRON_BRIDGE or framework.by_script:
        return reading
    return Reading(Quantity.ETP)


def _mismatch(world: World, readings: Sequence[Reading]) -> Mismatch | None:
    known = tuple(reading for reading in readings if reading.known)
    given = [reading for reading in known if reading.given]
    if not given or any(_fits(world.ranks, values) for values in product(*(r.values for r in known))):
        return None
    unknown = tuple(reading.quantity for reading in readings if not reading.known)
    # A factor of 1 carries nothing: the ranks are wrong without it.
    carrying = [reading.certainty for reading in known if max(reading.values) > 1]
    return Mismatch(world, known, unknown, max(world.certainty, *carrying))


def _fits(ranks: int, factors: Sequence[int]) -> bool:
    return ranks % prod(factors) == 0


def least_world(tp: int = 1, pp: int = 1, cp: int = 1, ep: int = 1, etp: int = 1) -> int:
    """Return the least number of ranks that both grids divide; every other one is a multiple of it."""
    return pp * lcm(tp * cp, ep * etp)


def least_world_of(quantities: Quantities, framework: Framework) -> int | None:
    """Return :func:`least_world` for what is known; None where a factor may be one of several."""
    readings = {quantity: quantities[quantity] for quantity in (*DENSE, Quantity.EP)}
    readings[Quantity.ETP] = expert_tensor(quantities, framework)
    sizes: dict[str, int] = {}
    for quantity, reading in readings.items():
        if reading.known and reading.value is None:
            return None
        sizes[quantity.value] = reading.value or 1
    return least_world(**sizes)


def legal_nodes(least: int, per_node: int, nodes: int) -> Iterator[int]:
    """Yield the counts of nodes next to *nodes*, below and above, with which *least* divides the ranks."""
    unit = least // gcd(least, per_node)
    below = nodes // unit * unit
    if below:
        yield below
    yield below + unit
