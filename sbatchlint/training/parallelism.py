"""How a training run is laid out over its ranks, as far as the script tells."""

from __future__ import annotations

from math import lcm, prod

from sbatchlint.records import dataclass
from sbatchlint.training.constraints.grids import DENSE, EXPERT
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.worlds.world import World


@dataclass(frozen=True, slots=True)
class Parallelism:
    """The numbers of one run's layout: each known, assumed or unknown, and where it was written."""

    world: World | None
    quantities: Quantities
    framework: Framework

    def __getitem__(self, quantity: Quantity) -> Reading:
        """What is known of *quantity*: the ranks and ETP as they will be, others as the program is told."""
        if quantity is Quantity.WORLD_SIZE:
            return self._world()
        if quantity is Quantity.ETP:
            return self._expert_tensor()
        return self.quantities[quantity]

    @property
    def dp(self) -> Reading:
        """DP: the copies of the dense model."""
        return self._copies(Quantity.DP, DENSE)

    @property
    def edp(self) -> Reading:
        """EDP: the copies of each expert."""
        return self._copies(Quantity.EDP, EXPERT)

    @property
    def least_world(self) -> int | None:
        """:func:`least_world` of what is known; None where a factor may be one of several."""
        sizes: dict[str, int] = {}
        for quantity in {*DENSE, *EXPERT}:
            reading = self[quantity]
            if reading.known and reading.value is None:
                return None
            sizes[quantity.value] = reading.value or 1
        return least_world(**sizes)

    def _world(self) -> Reading:
        if self.world is None:
            return Reading(Quantity.WORLD_SIZE)
        return Reading(Quantity.WORLD_SIZE, (self.world.ranks,), self.world.certainty)

    def _expert_tensor(self) -> Reading:
        """ETP as given, else the framework's default.

        Megatron-Core takes TP.  Megatron-Bridge takes 1 where EP is greater than 1, but a recipe may set it.
        """
        reading = self.quantities[Quantity.ETP]
        if reading.given or self.framework.name is FrameworkName.MEGATRON_BRIDGE or self.framework.by_script:
            return reading
        return Reading(Quantity.ETP)

    def _copies(self, quantity: Quantity, factors: tuple[Quantity, ...]) -> Reading:
        readings = [self[Quantity.WORLD_SIZE], *(self[factor] for factor in factors)]
        numbers = [reading.value for reading in readings]
        if any(number is None for number in numbers):
            return Reading(quantity)
        ranks, *sizes = (number or 1 for number in numbers)
        if ranks % prod(sizes):
            return Reading(quantity)
        certainty = max(reading.certainty for reading in readings)
        return Reading(quantity, (ranks // prod(sizes),), certainty)


def least_world(tp: int = 1, pp: int = 1, cp: int = 1, ep: int = 1, etp: int = 1) -> int:
    """Return the least number of ranks that both grids divide; every other one is a multiple of it."""
    return pp * lcm(tp * cp, ep * etp)
