"""What a constraint on a layout is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from sbatchlint.records import dataclass
from sbatchlint.training.dialects import Quantity

Numbers = Mapping[Quantity, int]
"""A layout: what is not in it is not given.  Switches are 1 for on and 0 for off."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A check that the framework makes of a layout: at its start, or where training begins."""

    name: str
    needs: tuple[Quantity, ...]
    """The numbers that it is made of; without one of these nothing is said."""
    broken: Callable[[Numbers], str | None]
    """What does not come out, as a sum in words; None where all is well."""
    says: str
    """The beginning of the framework's own message, with W, N ... for the numbers."""
    source: str
    """Repository@commit: file, function."""
    factors: tuple[Quantity, ...] = ()
    """Numbers that can only make it worse: one that is not known counts as 1."""
    optional: tuple[Quantity, ...] = ()
    """Numbers that it looks at where they are given."""
    without: tuple[Quantity, ...] = ()
    """Where one of these is given, the framework checks something else."""
    mends: tuple[Quantity, ...] = ()
    """Which number to change, the best choice first."""

    @property
    def asked(self) -> tuple[Quantity, ...]:
        """All that it hangs on."""
        return (*self.needs, *self.factors, *self.optional, *self.without)

    def check(self, numbers: Numbers) -> str | None:
        """Return what is wrong with *numbers*, in words; None if nothing is, or it is not asked."""
        if any(quantity not in numbers for quantity in self.needs):
            return None
        if any(numbers.get(quantity) for quantity in self.without):
            return None
        return self.broken(numbers)


def times(numbers: Numbers, *quantities: Quantity) -> int:
    """Return the product of *quantities*; one that is not given counts as 1."""
    return prod(numbers.get(quantity, 1) for quantity in quantities)


def spelled(numbers: Numbers, *quantities: Quantity) -> str:
    """Return the product spelled out: ``TP 4 x PP 8 = 32``."""
    known = [quantity for quantity in quantities if quantity in numbers]
    text = " x ".join(f"{quantity.symbol} {numbers[quantity]}" for quantity in known)
    return text if len(known) < 2 else f"{text} = {times(numbers, *known)}"
