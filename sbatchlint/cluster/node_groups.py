"""The nodes of a partition, alike ones together, and what the best of them have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sbatchlint.cluster.profile import NodeType, Partition, Profile
from sbatchlint.cluster.resources import ANY_TYPE
from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.gres_items import Gres

MANY = 10**9
"""More than any cluster has: stands for a number that is not known."""


@dataclass(frozen=True)
class NodeGroup:
    """Nodes of one partition that are alike."""

    kind: NodeType | None
    """None where nothing is known of them, so that they may have anything."""
    number: int
    hosts: frozenset[str] | None = None

    def without(self, excluded: frozenset[str]) -> NodeGroup:
        """Return the group without some hosts."""
        if self.hosts is None:
            return self
        hosts = self.hosts - excluded
        return NodeGroup(self.kind, len(hosts), hosts)


def groups_of(profile: Profile, partition: Partition) -> list[NodeGroup] | None:
    """Return the nodes of a partition in groups; None where they are not known."""
    if partition.host_names is not None:
        return _by_hosts(profile, partition.host_names)
    if partition.node_types is None:
        return None
    kinds = [profile.node_types_named(name) for name in partition.node_types]
    return [_whole(kind) for kind in kinds]


def _whole(kind: NodeType | None) -> NodeGroup:
    if kind is None or kind.number is None:
        return NodeGroup(kind, MANY)
    return NodeGroup(kind, kind.number, kind.host_names)


def _by_hosts(profile: Profile, hosts: frozenset[str]) -> list[NodeGroup]:
    groups = []
    left = hosts
    for kind in profile.node_types or ():
        own = left & (kind.host_names or frozenset())
        if own:
            groups.append(NodeGroup(kind, len(own), own))
            left -= own
    if left:
        groups.append(NodeGroup(None, len(left), left))
    return groups


def total(groups: Iterable[NodeGroup]) -> int:
    """Count the nodes."""
    return sum(group.number for group in groups)


def gpus_for(kind: NodeType, wanted: Gres) -> int:
    """Return how many GPUs of a node would do for *wanted*; :data:`MANY` where that is not known."""
    types = kind.gpu_types
    if types is None:
        return MANY
    if wanted.type is None:
        return sum(types.values())
    return types.get(wanted.type, 0) + types.get(ANY_TYPE, 0)


def largest(groups: Sequence[NodeGroup], amount: Callable[[NodeType], int | None], nodes: int) -> int | None:
    """Add up *amount* over the *nodes* nodes that have most of it; None where one is not known."""
    found: list[tuple[int, int]] = []
    for group in groups:
        value = None if group.kind is None else amount(group.kind)
        if value is None or value >= MANY or group.number >= MANY:
            return None
        found.append((value, group.number))
    added = 0
    for value, number in sorted(found, reverse=True):
        taken = min(number, nodes)
        added += taken * value
        nodes -= taken
    return added
