"""One thing that every node of a job must have."""

from __future__ import annotations

from collections.abc import Callable

from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.misfit import MisfitKind
from sbatchlint.cluster.profile import NodeType
from sbatchlint.records import dataclass

_CPU_OPTIONS = ("cpus-per-task", "ntasks-per-node", "ntasks", "mincpus", "cpus-per-gpu", "nodes")


@dataclass(frozen=True, slots=True)
class NodeNeed:
    """One thing that a node must have."""

    kind: MisfitKind
    asked: str
    options: tuple[str, ...]
    fits: Callable[[NodeType], bool]
    """Whether a node has it; True where that is not known."""
    shown: Callable[[NodeType], str]
    """What a node has of it: ``8 GPUs``, ``h100``."""


def cpu_options(demand: Demand) -> tuple[str, ...]:
    """Return the given options that say how many CPUs a node must have."""
    return demand.options(*_CPU_OPTIONS)
