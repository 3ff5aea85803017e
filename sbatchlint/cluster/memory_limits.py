"""Memory over what a partition or the cluster allows on one node.

Source: ``_valid_pn_min_mem`` and ``job_limits_check`` in ``src/slurmctld/job_mgr.c``, and a live Slurm.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.misfit import MisfitKind, Obstacle
from sbatchlint.cluster.node_groups import NodeGroup
from sbatchlint.cluster.profile import Partition, Profile
from sbatchlint.cluster.units import UNLIMITED, over

_BAD_MEMORY = "Memory required by task is not available"
PARTITION_CONFIG = "Requested partition configuration not available now"
"""What slurmctld says of what it finds out late; ``--test-only`` never gets there."""
_MEMORY_SHARES = ("cpus-per-task", "ntasks-per-node", "ntasks", "exclusive")


def memory_obstacles(
    demand: Demand, profile: Profile, partition: Partition, groups: list[NodeGroup] | None
) -> Iterator[Obstacle]:
    """Compare with MaxMemPerNode; over MaxMemPerCPU Slurm gives the job more CPUs instead."""
    most = partition.max_memory_per_node_mib
    if most is None and partition.max_memory_per_cpu_mib is None:
        most = profile.settings.max_memory_per_node_mib
    own = demand.given("mem", "mem-per-cpu")
    whole, each = demand.megabytes("mem"), demand.megabytes("mem-per-cpu")
    if not own:
        whole, each = _default_memory(profile, partition)
    wanted = _on_a_node(whole, each, demand, partition, groups)
    if most is not None and over(wanted, most):
        yield Obstacle(
            MisfitKind.MEMORY_LIMIT,
            f"{wanted}M",
            f"{most}M",
            _BAD_MEMORY if own else PARTITION_CONFIG,
            "MaxMemPerLimit",
            demand.options("mem", "mem-per-cpu", *_MEMORY_SHARES) if own else demand.options("partition"),
            limit=True,
        )


def _default_memory(profile: Profile, partition: Partition) -> tuple[int | None, int | None]:
    """Return what a job gets that asks for no memory, per node and per CPU: with no default, the whole node.

    slurmctld compares it with the limits too, though not for ``--test-only``.
    """
    settings = profile.settings
    for per_node, per_cpu in (
        (partition.default_memory_per_node_mib, partition.default_memory_per_cpu_mib),
        (settings.default_memory_per_node_mib, settings.default_memory_per_cpu_mib),
    ):
        if per_cpu is not None and per_cpu != UNLIMITED:
            return None, per_cpu
        if per_node is not None:
            return 0 if per_node == UNLIMITED else per_node, None
    return None, None


def _on_a_node(
    whole: int | None,
    each: int | None,
    demand: Demand,
    partition: Partition,
    groups: list[NodeGroup] | None,
) -> int | None:
    """Return the memory on one node, of so much for the node (0: all) or *each* CPU."""
    if whole:
        return whole
    if whole == 0:
        return _least(groups, "memory_mib")  # slurmctld takes the partition's first node, whichever that is
    if not each:
        return None
    if demand.request.exclusive or (partition.over_subscribe or "").startswith("EXCLUSIVE"):
        cpus = _least(groups, "cpus")
        return None if cpus is None else each * cpus
    tasks = demand.tasks_on_a_node
    if demand.tasks is not None and demand.nodes_max:
        tasks = max(tasks, -(-demand.tasks // demand.nodes_max))
    return each * tasks * demand.cpus_per_task


def _least(groups: list[NodeGroup] | None, field: str) -> int | None:
    """Return the least that any node has; None where that of one is not known."""
    found: list[int | None] = [
        None if group.kind is None else getattr(group.kind, field) for group in groups or ()
    ]
    known = [amount for amount in found if amount is not None]
    return min(known) if known and len(known) == len(found) else None
