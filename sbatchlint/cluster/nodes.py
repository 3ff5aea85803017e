"""Whether the nodes of a partition can do what a job asks for, and if not, why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.memory_needs import memory_is_shared_out
from sbatchlint.cluster.misfit import MisfitKind, Obstacle
from sbatchlint.cluster.node_groups import MANY, NodeGroup, gpus_for, groups_of, largest, total
from sbatchlint.cluster.node_need import NodeNeed
from sbatchlint.cluster.node_needs import cpus_of, node_needs
from sbatchlint.cluster.profile import NodeType, Partition, Profile
from sbatchlint.cluster.units import UNLIMITED
from sbatchlint.slurm.grammar.gres_items import Gres

UNAVAILABLE = "Requested node configuration is not available"
"""What Slurm says of all that no node can do (ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE)."""
BAD_CONSTRAINTS = "BadConstraints"


def node_obstacles(demand: Demand, profile: Profile, partition: Partition) -> list[Obstacle]:
    """Return what keeps the job from the nodes of *partition*; empty where they can do it, or may."""
    groups = groups_of(profile, partition)
    if groups is None:
        return []
    groups = [group.without(demand.excluded or frozenset()) for group in groups]
    groups = [group for group in groups if group.number]
    needs = list(node_needs(demand, profile, partition))
    found = [obstacle for need in needs if (obstacle := _unmet(need, groups, demand)) is not None]
    if found:
        return found[:1] if _same_options(found) else found
    fitting = [group for group in groups if _fits(group, needs)]
    if not _enough(fitting, demand):
        return [_together(needs, groups, fitting, demand)]
    return list(_totals(demand, profile, partition, fitting))


def _same_options(found: list[Obstacle]) -> bool:
    """Tell whether one option is to blame for all: the first reason then tells enough."""
    return len({obstacle.options[:1] for obstacle in found}) == 1


def _fits(group: NodeGroup, needs: Sequence[NodeNeed]) -> bool:
    return group.kind is None or all(need.fits(group.kind) for need in needs)


def _enough(fitting: Sequence[NodeGroup], demand: Demand) -> bool:
    """Tell whether there are enough such nodes, all those among them that the job names."""
    if total(fitting) < demand.nodes_min:
        return False
    if demand.hosts is None or any(group.hosts is None for group in fitting):
        return True
    return demand.hosts <= {host for group in fitting for host in group.hosts or ()}


def _unmet(need: NodeNeed, groups: Sequence[NodeGroup], demand: Demand) -> Obstacle | None:
    """Return what is in the way if too few nodes meet one need, though there are nodes enough."""
    fitting = [group for group in groups if _fits(group, (need,))]
    if _enough(fitting, demand) or not _enough(groups, demand):
        return None
    kinds = [group.kind for group in groups if group.kind is not None]
    offered = ", ".join(dict.fromkeys(filter(None, map(need.shown, kinds))))
    if fitting:
        offered = f"{total(fitting)} of {_nodes(total(groups))}"
    return Obstacle(
        need.kind,
        need.asked,
        offered,
        UNAVAILABLE,
        BAD_CONSTRAINTS,
        need.options if not fitting else (*need.options, *demand.options("nodes", "nodelist")),
        choices=tuple(dict.fromkeys(word for kind in kinds for word in need.shown(kind).split(",") if word)),
    )


def _together(
    needs: Sequence[NodeNeed], groups: Sequence[NodeGroup], fitting: Sequence[NodeGroup], demand: Demand
) -> Obstacle:
    """Return what is in the way if each need could be met, and all of them can't be."""
    asked = _nodes(demand.nodes_min)
    options = demand.options("nodes", "nodelist", "exclude")
    if not _enough(groups, demand):
        available = _nodes(total(groups))
        return Obstacle(MisfitKind.NOT_ENOUGH_NODES, asked, available, UNAVAILABLE, BAD_CONSTRAINTS, options)
    taking_part = [need for need in needs if total([group for group in groups if _fits(group, (need,))])]
    return Obstacle(
        MisfitKind.TOGETHER,
        ", ".join(dict.fromkeys(need.asked for need in taking_part)),
        f"{total(fitting)} of {_nodes(total(groups))}",
        UNAVAILABLE,
        BAD_CONSTRAINTS,
        tuple(dict.fromkeys([name for need in taking_part for name in need.options] + list(options))),
    )


def _nodes(number: int) -> str:
    return "1 node" if number == 1 else f"{number} nodes"


# --- all nodes of the job together -----------------------------------------------------------------


def _most_nodes(demand: Demand, partition: Partition) -> int:
    """Return the greatest number of nodes that the job can get in *partition*."""
    most = partition.max_nodes
    limits = [demand.nodes_max, None if most == UNLIMITED else most]
    return min([limit for limit in limits if limit is not None], default=MANY)


def _totals(
    demand: Demand, profile: Profile, partition: Partition, groups: Sequence[NodeGroup]
) -> Iterator[Obstacle]:
    """Yield what the job's nodes can't do together, though each of them has what it must."""
    most = _most_nodes(demand, partition)
    limit = demand.request.ntasks_per_node
    nodes = min(most, total(groups))
    counted = not demand.given("overcommit")
    if counted and limit is not None and demand.tasks is not None and demand.tasks > limit.value * nodes:
        options = demand.options("ntasks", "ntasks-per-node", "nodes")
        asked, offered = str(demand.tasks), f"{_nodes(nodes)} with {limit.value} each"
        yield Obstacle(MisfitKind.TASKS_PER_NODE, asked, offered, UNAVAILABLE, BAD_CONSTRAINTS, options)
        return
    yield from _total_cpus(demand, partition, groups, most)
    for item in demand.gpus:
        yield from _total_gpus(item, demand, groups, most)
    if demand.tasks is not None:
        for item in demand.gpus_per_task:
            yield from _tasks_with_gpus(item, demand.tasks, demand, groups, most)
    if memory_is_shared_out(profile):
        yield from _total_memory(demand, groups, most)


def _total_cpus(
    demand: Demand, partition: Partition, groups: Sequence[NodeGroup], most: int
) -> Iterator[Obstacle]:
    has = largest(groups, lambda kind: cpus_of(kind, partition), most)
    if demand.cpus is not None and has is not None and demand.cpus > has:
        options = demand.options("ntasks", "ntasks-per-node", "cpus-per-task", "nodes")
        yield Obstacle(
            MisfitKind.TOTAL_CPUS, str(demand.cpus), str(has), UNAVAILABLE, BAD_CONSTRAINTS, options
        )


def _total_gpus(item: Gres, demand: Demand, groups: Sequence[NodeGroup], most: int) -> Iterator[Obstacle]:
    by_tasks = demand.most_nodes_with_tasks
    spread = most if by_tasks is None else min(most, by_tasks)
    has = largest(groups, lambda kind: gpus_for(kind, item), spread)
    if has is not None and item.count > has:
        all_nodes = largest(groups, lambda kind: gpus_for(kind, item), most)
        by_count = all_nodes is not None and item.count > all_nodes
        options = demand.options("gpus", "nodes", *(() if by_count else ("ntasks", "ntasks-per-node")))
        offered = str(has) if by_count else f"{has} on the {_nodes(spread)} that have a task"
        yield Obstacle(
            MisfitKind.TOTAL_GPUS,
            str(item.count),
            offered,
            UNAVAILABLE,
            BAD_CONSTRAINTS,
            options,
            # Seen in 22.05; other releases may spread tasks in another way.
            certainty=Certainty.KNOWN if by_count else Certainty.ASSUMED,
        )


def _tasks_with_gpus(
    item: Gres, tasks: int, demand: Demand, groups: Sequence[NodeGroup], most: int
) -> Iterator[Obstacle]:
    """GPUs of one task are on one node, so each node has room for whole tasks only."""
    if not item.count:
        return

    def room(kind: NodeType) -> int:
        gpus = gpus_for(kind, item)
        return MANY if gpus >= MANY else gpus // item.count

    has = largest(groups, room, most)
    if has is not None and tasks > has:
        options = demand.options("gpus-per-task", "ntasks", "ntasks-per-node", "nodes")
        asked, offered = f"{tasks} tasks with {item.count} GPUs each", f"room for {has}"
        yield Obstacle(MisfitKind.TOTAL_GPUS, asked, offered, UNAVAILABLE, BAD_CONSTRAINTS, options)


def _total_memory(demand: Demand, groups: Sequence[NodeGroup], most: int) -> Iterator[Obstacle]:
    each = demand.megabytes("mem-per-cpu")
    if not each or demand.cpus is None:
        return

    def room(kind: NodeType) -> int | None:
        cpus = None if kind.memory_mib is None else kind.memory_mib // each
        if cpus is None or kind.cpus is None:
            return cpus
        cpus = min(cpus, kind.cpus)
        return cpus - cpus % demand.cpus_per_task  # a task has all its CPUs on one node

    has = largest(groups, room, most)
    if has is not None and demand.cpus > has:
        options = demand.options("mem-per-cpu", "ntasks", "ntasks-per-node", "cpus-per-task", "nodes")
        asked, offered = f"{demand.cpus} CPUs with {each}M each", f"memory for {has}"
        yield Obstacle(MisfitKind.TOTAL_MEMORY, asked, offered, UNAVAILABLE, BAD_CONSTRAINTS, options)
