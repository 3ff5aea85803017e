"""Which rank sits where: Megatron-Core's order of ranks, and the nodes that they are on.

Megatron-Core numbers the ranks through two grids.  In the dense one TP runs fastest, then CP, DP and PP;
in that of the experts ETP, EP, EDP and PP.  With ``--use-tp-pp-dp-mapping`` PP comes before DP
(``megatron/core/parallel_state.py``, ``RankGenerator``; ``megatron/training/initialize.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import prod

from sbatchlint.records import dataclass
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.violations import violations

_TOLD = (Quantity.TP, Quantity.CP, Quantity.PP)
DENSE_AXES = (Quantity.TP, Quantity.CP, Quantity.DP, Quantity.PP)
"""The axes of the dense grid, the fastest first."""
EXPERT_AXES = (Quantity.ETP, Quantity.EP, Quantity.EDP, Quantity.PP)
"""Those of the grid of the experts."""


@dataclass(frozen=True, slots=True)
class RankGrid:
    """The grids of one world."""

    sizes: dict[Quantity, int]
    """TP, CP, DP and PP; with experts also ETP, EP and EDP."""
    per_node: int
    """Ranks on each node."""
    pipeline_first: bool = False
    """True where PP runs before DP."""
    dealt: int = 0
    """Ranks that a node gets before the next one's turn: 1 with ``--distribution=cyclic``; 0: all at once."""

    @property
    def ranks(self) -> int:
        """How many there are."""
        return prod(self.sizes[axis] for axis in DENSE_AXES)

    @property
    def nodes(self) -> int:
        """On how many nodes."""
        return -(-self.ranks // self.per_node)

    @property
    def axes(self) -> tuple[Quantity, ...]:
        """The axes on which ranks differ."""
        axes = dict.fromkeys((*DENSE_AXES, *EXPERT_AXES))
        return tuple(axis for axis in axes if self.sizes.get(axis, 1) > 1)

    def place(self, rank: int) -> dict[Quantity, int]:
        """Return the coordinates of *rank* on every axis, from 0 on."""
        found: dict[Quantity, int] = {}
        for axes in self._orders():
            rest = rank
            for axis in axes:
                rest, found[axis] = divmod(rest, self.sizes[axis])
        return found

    def node(self, rank: int) -> int:
        """Return the number of the node that *rank* is on, from 0 on."""
        return rank // (self.dealt or self.per_node) % self.nodes

    def on_node(self, node: int) -> list[int]:
        """Return the ranks on *node*, in the order of their GPUs."""
        size = self.dealt or self.per_node
        blocks = range(node * size, self.ranks, self.nodes * size)
        return [rank for first in blocks for rank in range(first, min(first + size, self.ranks))]

    def groups(self, axis: Quantity) -> list[tuple[int, ...]]:
        """Return the groups of ranks that differ in *axis* alone, by their first rank."""
        others = [other for other in self._order_with(axis) if other is not axis]

        def key(rank: int) -> tuple[int, ...]:
            place = self.place(rank)
            return tuple(place[other] for other in others)

        dealt = groupby(sorted(range(self.ranks), key=lambda rank: (key(rank), rank)), key)
        return sorted(tuple(members) for _, members in dealt)

    def split(self, axis: Quantity) -> int:
        """Return how many of the groups of *axis* are on more than one node."""
        return sum(1 for group in self.groups(axis) if len({self.node(rank) for rank in group}) > 1)

    def _orders(self) -> Iterator[tuple[Quantity, ...]]:
        for axes in (DENSE_AXES, EXPERT_AXES):
            if all(axis in self.sizes for axis in axes):
                *inner, copies, stages = axes
                yield (*inner, stages, copies) if self.pipeline_first else axes

    def _order_with(self, axis: Quantity) -> tuple[Quantity, ...]:
        return next(order for order in self._orders() if axis in order)


def rank_grid(layout: Parallelism, *, dealt: int = 0) -> RankGrid | str:
    """Return the grid of *layout*, *dealt* as in :class:`RankGrid`; where there is none, why."""
    broken = next((one for one in violations(layout) if Quantity.WORLD_SIZE in one.constraint.needs), None)
    if broken is not None and broken.factors:
        return broken.text
    world = layout.world
    if world is None or not world.per_node:
        return "the number of ranks is not known"
    untold = [quantity.symbol for quantity in _TOLD if layout[quantity].value is None]
    if untold:
        verb = "is" if len(untold) == 1 else "are"
        told = " and ".join((", ".join(untold[:-1]), untold[-1])) if untold[:-1] else untold[0]
        return f"{told} {verb} not told by the script: a recipe or a configuration decides"
    numbers = {quantity: layout[quantity].value for quantity in (*_TOLD, Quantity.ETP, Quantity.EP)}
    numbers |= {Quantity.DP: layout.dp.value, Quantity.EDP: layout.edp.value}
    sizes = {quantity: number for quantity, number in numbers.items() if number is not None}
    if Quantity.DP not in sizes:
        return "the ranks can't be laid out"
    complete = all(axis in sizes for axis in EXPERT_AXES)
    if not complete or (sizes[Quantity.EP], sizes[Quantity.ETP]) == (1, sizes[Quantity.TP]):
        # The experts have no grid of their own, or one of which not everything is known.
        sizes = {axis: sizes[axis] for axis in DENSE_AXES}
    return RankGrid(sizes, world.per_node, layout[Quantity.DP_AFTER_PP].value == 1, dealt)
