"""What a partition does not allow, whatever its nodes could do.

Source: ``_part_access_check`` and ``_valid_job_part`` in
``src/slurmctld/job_mgr.c``, and a live Slurm.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.memory_limits import PARTITION_CONFIG, memory_obstacles
from sbatchlint.cluster.misfit import MisfitKind, Obstacle
from sbatchlint.cluster.node_groups import MANY, NodeGroup, groups_of, total
from sbatchlint.cluster.nodes import BAD_CONSTRAINTS, UNAVAILABLE
from sbatchlint.cluster.profile import Partition, Profile
from sbatchlint.cluster.units import over, show_minutes

_NOT_AVAILABLE = "Required partition not available (inactive or drain)"
_BAD_TIME = "Requested time limit is invalid (missing or exceeds some limit)"
_BAD_NODES = "Node count specification invalid"
_TOO_MANY_CPUS = "More processors requested than permitted"


def partition_obstacles(demand: Demand, profile: Profile, partition: Partition) -> Iterator[Obstacle]:
    """Yield what *partition* has against the job."""
    if partition.state in ("DRAIN", "INACTIVE"):
        yield Obstacle(
            MisfitKind.PARTITION_CLOSED,
            partition.name,
            partition.state,
            _NOT_AVAILABLE,
            options=("partition",),
        )
        return
    if partition.requires_reservation and not demand.given("reservation"):
        yield Obstacle(
            MisfitKind.RESERVATION_NEEDED,
            partition.name,
            "",
            "Access/permission denied",
            options=("partition",),
        )
        return
    certainty = _qos_may_override(demand, profile)
    groups = groups_of(profile, partition)
    if certainty is not None:
        yield from _time(demand, partition, profile.settings.enforce_part_limits, certainty)
        yield from _node_count(demand, partition, groups, certainty)
    yield from _all_nodes(demand, profile, partition, groups)
    yield from memory_obstacles(demand, profile, partition, groups)
    yield from _accounts(demand, profile, partition)
    if partition.state == "DOWN":
        yield Obstacle(
            MisfitKind.PARTITION_DOWN,
            partition.name,
            partition.state,
            reason="PartitionDown",
            options=("partition",),
            waits=True,
        )


def _qos_may_override(demand: Demand, profile: Profile) -> Certainty | None:
    """Return how sure limits of time and nodes are; None where a QOS is known to set them aside."""
    name = demand.text("qos")
    if name is None or profile.settings.accounting is False:
        return Certainty.KNOWN
    qos = profile.named_qos(name)
    if qos is None:
        return Certainty.ASSUMED
    return None if qos.overrides_partition else Certainty.KNOWN


def _time(
    demand: Demand, partition: Partition, enforce: str | None, certainty: Certainty
) -> Iterator[Obstacle]:
    """Compare the time limit; a job that would do with less time waits for nothing under NO."""
    most = partition.max_time
    shortest, asked = demand.time_min, demand.time
    if over(shortest, most):
        option, wanted, limit = "time-min", shortest, False
    elif over(asked, most) and (shortest is None or enforce != "NO"):
        option, wanted, limit = "time", asked, True
    else:
        return
    if wanted is not None and most is not None:
        yield Obstacle(
            MisfitKind.TIME_LIMIT,
            show_minutes(wanted),
            show_minutes(most),
            _BAD_TIME,
            "PartitionTimeLimit",
            (option,),
            limit=limit,
            certainty=certainty,
        )


def _node_count(
    demand: Demand, partition: Partition, groups: list[NodeGroup] | None, certainty: Certainty
) -> Iterator[Obstacle]:
    yield from _too_many_nodes(demand, partition, groups, certainty)
    yield from _too_few_nodes(demand, partition, certainty)


def _too_many_nodes(
    demand: Demand, partition: Partition, groups: list[NodeGroup] | None, certainty: Certainty
) -> Iterator[Obstacle]:
    low = demand.nodes_asked
    down = partition.state == "DOWN"
    # Of nodes that are only listed, the first look of slurmctld at several partitions knows nothing.
    late = not demand.given("nodes", "gpus") and len(demand.partitions) > 1
    high = demand.nodes_max if demand.given("nodes") and not down else None
    options = demand.options("nodes", "nodelist", "gpus")
    most = partition.max_nodes
    if over(low, most) or over(high, most):
        asked = low if high is None or high == low else f"{low} to {high}"
        yield Obstacle(
            MisfitKind.TOO_MANY_NODES,
            str(asked),
            str(most),
            PARTITION_CONFIG if late else _BAD_NODES,
            "PartitionNodeLimit",
            options,
            limit=True,
            certainty=certainty,
        )
    elif groups is not None and low > total(groups):
        yield Obstacle(
            MisfitKind.TOO_MANY_NODES,
            str(low),
            str(total(groups)),
            UNAVAILABLE if down else _BAD_NODES,
            BAD_CONSTRAINTS if down else "PartitionNodeLimit",
            options,
            limit=not down,
        )


def _too_few_nodes(demand: Demand, partition: Partition, certainty: Certainty) -> Iterator[Obstacle]:
    least = partition.min_nodes or 0
    fixed = demand.nodes_max if demand.given("nodes") else None
    if fixed is not None and fixed < least:
        yield Obstacle(
            MisfitKind.TOO_FEW_NODES,
            str(fixed),
            str(least),
            _BAD_NODES,
            "PartitionNodeLimit",
            demand.options("nodes"),
            limit=True,
            certainty=certainty,
        )


def _all_nodes(
    demand: Demand, profile: Profile, partition: Partition, groups: list[NodeGroup] | None
) -> Iterator[Obstacle]:
    """Compare with all nodes of the partition: their names, and all their CPUs."""
    if demand.hosts and partition.host_names is not None:
        outside = sorted(demand.hosts - partition.host_names)
        if outside:
            # Under NO it is found out only when nodes are looked for, and then refused all the same.
            first_look = profile.settings.enforce_part_limits in ("ALL", "ANY")
            yield Obstacle(
                MisfitKind.NODE_OUTSIDE_PARTITION,
                ",".join(outside),
                partition.nodes or "",
                "Requested nodes not in this partition" if first_look else UNAVAILABLE,
                BAD_CONSTRAINTS,
                ("nodelist", *demand.options("partition")),
                limit=first_look,
            )
    has = _cpus_of_all(groups)
    if demand.cpus is not None and demand.cpus > has and partition.state != "DOWN":
        yield Obstacle(
            MisfitKind.TOTAL_CPUS,
            str(demand.cpus),
            str(has),
            _TOO_MANY_CPUS,
            "PartitionConfig",
            demand.options("ntasks", "ntasks-per-node", "cpus-per-task", "nodes"),
            limit=True,
        )


def _cpus_of_all(groups: list[NodeGroup] | None) -> int:
    cpus = 0
    for group in groups or ():
        if group.kind is None or group.kind.cpus is None or group.number >= MANY:
            return MANY
        cpus += group.kind.cpus * group.number
    return MANY if groups is None else cpus


# --- who may ---------------------------------------------------------------------------------------


def _accounts(demand: Demand, profile: Profile, partition: Partition) -> Iterator[Obstacle]:
    """Compare with the accounts and QOS that the partition admits, where the job names its own."""
    if profile.settings.accounting is False:
        return
    account, qos = demand.text("account"), demand.text("qos")
    if account is not None and not _admitted(account, partition.allow_accounts, partition.deny_accounts):
        yield Obstacle(
            MisfitKind.ACCOUNT_NOT_ALLOWED,
            account,
            ",".join(partition.allow_accounts or ()),
            "Invalid account or account/partition combination specified",
            "AccountNotAllowed",
            ("account", *demand.options("partition")),
            limit=True,
            choices=partition.allow_accounts or (),
        )
    if qos is not None and not _admitted(qos, partition.allow_qos, partition.deny_qos):
        yield Obstacle(
            MisfitKind.QOS_NOT_ALLOWED,
            qos,
            ",".join(partition.allow_qos or ()),
            "Invalid qos specification",
            "QOSNotAllowed",
            ("qos", *demand.options("partition")),
            limit=True,
            choices=partition.allow_qos or (),
        )


def _admitted(name: str, allowed: tuple[str, ...] | None, denied: tuple[str, ...] | None) -> bool:
    folded = name.casefold()
    if allowed is not None:
        return folded in {one.casefold() for one in allowed}
    return folded not in {one.casefold() for one in denied or ()}
