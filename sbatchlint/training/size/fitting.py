"""Which layouts of a model are legal and fit into the memory of a GPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import lcm

from sbatchlint.records import dataclass
from sbatchlint.training.constraints import broken_by
from sbatchlint.training.constraints.base import Numbers
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.parallelism import least_world
from sbatchlint.training.size.architecture import Architecture
from sbatchlint.training.size.memory import GB, Load, Memory, memory_of

USABLE = 0.9
"""The share of a GPU's memory to count on: CUDA, NCCL's buffers and gaps take the rest."""
_MOST_NODES = 512
_SEARCHED = {
    Quantity.TP: (1, 2, 4, 8),
    Quantity.PP: (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32),
    Quantity.EP: (1, 2, 4, 8, 16, 32, 64, 128),
}
IF_UNEVEN = -1
"""As LAYOUT: the stages are written one by one where the layers can't be shared out evenly."""
_FACTORS = (Quantity.TP, Quantity.PP, Quantity.CP, Quantity.EP, Quantity.ETP)


@dataclass(frozen=True, slots=True)
class Machine:
    """What a cluster has."""

    gpu: str
    memory: int
    """GB of one GPU."""
    gpus_per_node: int

    def holds(self, memory: Memory) -> bool:
        """Whether a GPU holds it, with room to work."""
        return memory.total <= USABLE * self.memory * GB

    def nodes_for(self, ranks: int) -> int:
        """How many nodes *ranks* fill, one on each GPU; the last one perhaps in part."""
        return -(-ranks // self.gpus_per_node)


@dataclass(frozen=True, slots=True)
class Fit:
    """A layout that is legal and fits."""

    numbers: Numbers
    memory: Memory
    nodes: int

    @property
    def uneven(self) -> bool:
        """Whether the stages must be written one by one (``--pipeline-model-parallel-layout``)."""
        return self.numbers.get(Quantity.LAYOUT, 0) > 0


def shape_numbers(shape: Architecture) -> dict[Quantity, int]:
    """Return the numbers of a model that a layout has to go with."""
    numbers = {
        Quantity.LAYERS: shape.num_layers,
        Quantity.HIDDEN_SIZE: shape.hidden_size,
        Quantity.HEADS: shape.num_attention_heads,
        Quantity.GROUPS: shape.num_query_groups,
        Quantity.GROUPED: int(shape.num_query_groups != shape.num_attention_heads),
        Quantity.EXPERTS: shape.num_experts,
        Quantity.HEAD_DIM: shape.head_size,
    }
    return {quantity: number for quantity, number in numbers.items() if number}


def is_uneven(shape: Architecture, numbers: Numbers) -> bool:
    """Tell whether the stages of the pipeline can't have the same number of layers."""
    return shape.num_layers % numbers[Quantity.PP] > 0


def complete(shape: Architecture, layout: Mapping[Quantity, int]) -> dict[Quantity, int]:
    """Return *layout* with 1 for what it does not say, SP where TP asks for it, and the model's numbers."""
    numbers = {**dict.fromkeys(_FACTORS, 1), **shape_numbers(shape), **layout}
    numbers.setdefault(Quantity.SP, int(numbers[Quantity.TP] > 1))
    if numbers.get(Quantity.LAYOUT) == IF_UNEVEN:
        numbers[Quantity.LAYOUT] = int(numbers[Quantity.PP] < shape.num_layers and is_uneven(shape, numbers))
    numbers.setdefault(
        Quantity.WORLD_SIZE, least_world(**{quantity.value: numbers[quantity] for quantity in _FACTORS})
    )
    return numbers


def fitting(shape: Architecture, load: Load, machine: Machine, fixed: Mapping[Quantity, int]) -> list[Fit]:
    """Return the layouts that fit, those on the fewest nodes first; the numbers of *fixed* stay as they are.

    TP stays within a node, and ETP and CP are 1 if not fixed.  Of each TP, PP and EP the smallest world.
    """
    found = [
        fit for layout in _layouts(shape, machine, fixed) for fit in _smallest(shape, load, machine, layout)
    ]
    return sorted(found, key=_rank)


def _rank(fit: Fit) -> tuple[float, ...]:
    """The fewest GPUs, then even stages, then the least that is cut: fewer pieces talk less."""
    numbers = fit.numbers
    pieces = numbers[Quantity.TP] * numbers[Quantity.PP]
    return (fit.nodes, numbers[Quantity.WORLD_SIZE], fit.uneven, pieces, numbers[Quantity.EP])


def _layouts(
    shape: Architecture, machine: Machine, fixed: Mapping[Quantity, int]
) -> Iterator[dict[Quantity, int]]:
    choices: dict[Quantity, Iterable[int]] = dict(_SEARCHED)
    choices[Quantity.TP] = [size for size in _SEARCHED[Quantity.TP] if size <= machine.gpus_per_node]
    if not shape.num_experts:
        choices[Quantity.EP] = (1,)
    free = [quantity for quantity in choices if quantity not in fixed]
    for values in product(*(choices[quantity] for quantity in free)):
        yield {Quantity.LAYOUT: IF_UNEVEN, **fixed, **dict(zip(free, values, strict=True))}


def _smallest(
    shape: Architecture, load: Load, machine: Machine, layout: Mapping[Quantity, int]
) -> Iterator[Fit]:
    """Yield the smallest world in which *layout* fits, if there is one."""
    for ranks in _worlds(machine, layout):
        numbers = complete(shape, {**layout, Quantity.WORLD_SIZE: ranks})
        fit = _fit(shape, load, machine, numbers)
        if fit is not None:
            yield fit
            return


def _fit(shape: Architecture, load: Load, machine: Machine, numbers: Numbers) -> Fit | None:
    """The layout of *numbers*, if it is legal and fits."""
    if any(broken_by(numbers)):
        return None
    memory = memory_of(shape, numbers, load)
    nodes = machine.nodes_for(numbers[Quantity.WORLD_SIZE])
    return Fit(numbers, memory, nodes) if machine.holds(memory) else None


def _worlds(machine: Machine, layout: Mapping[Quantity, int]) -> Iterator[int]:
    """Yield the worlds to try: parts of a node, then whole nodes, doubling from the least one."""
    if Quantity.WORLD_SIZE in layout:
        yield layout[Quantity.WORLD_SIZE]
        return
    least = least_world(**{quantity.value: layout.get(quantity, 1) for quantity in _FACTORS})
    each = machine.gpus_per_node
    yield from (ranks for ranks in range(1, each) if each % ranks == 0 and ranks % least == 0)
    ranks = lcm(least, each)
    while ranks <= _MOST_NODES * each:
        yield ranks
        ranks *= 2


def remedies(
    shape: Architecture, load: Load, machine: Machine, numbers: Numbers
) -> Iterator[tuple[Quantity, Fit]]:
    """Yield what one greater number does for a layout that does not fit: the first of each that helps."""
    told = {quantity: numbers[quantity] for quantity in (*_FACTORS, Quantity.WORLD_SIZE)}
    told[Quantity.LAYOUT] = IF_UNEVEN
    batch: tuple[Quantity, ...] = (Quantity.GBS, Quantity.MBS, Quantity.VPP)
    extra = {quantity: numbers[quantity] for quantity in batch if quantity in numbers}
    for quantity in (Quantity.EP, Quantity.PP, Quantity.TP, Quantity.WORLD_SIZE):
        values = _SEARCHED.get(quantity) or [told[quantity] * 2**power for power in range(1, 8)]
        for value in values:
            if value <= told[quantity] or (quantity is Quantity.TP and value > machine.gpus_per_node):
                continue
            fit = _fit(shape, load, machine, complete(shape, {**extra, **told, quantity: value}))
            if fit is not None:
                yield quantity, fit
                break
