"""Names in a job that the cluster does not know, and what is limited for all partitions alike.

Sources: ``_job_create`` in ``src/slurmctld/job_mgr.c``, ``licenses.c``, ``acct_policy.c``, and a live Slurm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.misfit import MisfitKind, Obstacle
from sbatchlint.cluster.profile import Profile, Qos
from sbatchlint.cluster.units import Limit, over, show_minutes
from sbatchlint.slurm.grammar.arrays import ArraySpec
from sbatchlint.slurm.grammar.features import Constraint
from sbatchlint.slurm.grammar.licenses import License
from sbatchlint.spelling import nearest

_BAD_FEATURE = "Invalid feature specification"
_BAD_LICENSE = "Invalid license specification"
_BAD_NODE = "Invalid node name specified"
_ENFORCES_ACCOUNTS = frozenset({"associations", "limits", "qos", "safe", "wckeys", "all"})
_ENFORCES_QOS = frozenset({"qos", "all"})
_ENFORCES_LIMITS = frozenset({"limits", "safe", "all"})


def cluster_obstacles(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    """Yield what is in the job's way in every partition."""
    yield from _partitions(demand, profile)
    yield from _hosts(demand, profile)
    yield from _features(demand, profile)
    yield from _gres(demand, profile)
    yield from _licenses(demand, profile)
    yield from _array(demand, profile)
    yield from _account(demand, profile)
    yield from _qos(demand, profile)


def _unknown(kind: MisfitKind, name: str, option: str, said: str, known: Iterable[str]) -> Obstacle:
    names = tuple(sorted(known))
    return Obstacle(kind, name, "", said, options=(option,), near=nearest(name, names) or "", choices=names)


def _partitions(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    if profile.partitions is None:
        return
    known = [partition.name for partition in profile.partitions]
    for name in demand.partitions:
        if name not in known:
            said = "Invalid partition name specified"
            yield _unknown(MisfitKind.UNKNOWN_PARTITION, name, "partition", said, known)


def _known_hosts(profile: Profile) -> frozenset[str] | None:
    """Return every node of the cluster; None where the profile may not name them all."""
    lists = [kind.host_names for kind in profile.node_types or ()]
    lists += [partition.host_names for partition in profile.partitions or ()]
    if not profile.node_types or any(hosts is None for hosts in lists):
        return None
    return frozenset().union(*(hosts for hosts in lists if hosts is not None))


def _hosts(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    known = _known_hosts(profile)
    if known is None:
        return
    for option, hosts in (("nodelist", demand.hosts), ("exclude", demand.excluded)):
        for host in sorted((hosts or frozenset()) - known):
            yield _unknown(MisfitKind.UNKNOWN_NODE, host, option, _BAD_NODE, known)


def _features(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    constraint = demand.value("constraint", Constraint)
    kinds = profile.node_types or ()
    if constraint is None or not kinds or any(kind.features is None for kind in kinds):
        return
    known = {feature for kind in kinds for feature in kind.features or ()}
    for name in dict.fromkeys(constraint.names()):
        if name not in known:
            yield _unknown(MisfitKind.UNKNOWN_FEATURE, name, "constraint", _BAD_FEATURE, known)


def _gres(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    known = profile.settings.gres_types
    if known is None:
        return
    said = "Invalid generic resource (gres) specification"
    for item in demand.other_gres:
        if item.name not in known:
            yield _unknown(MisfitKind.UNKNOWN_GRES, item.name, "gres", said, known)
    if demand.gpu_options and "gpu" not in known:
        yield _unknown(MisfitKind.UNKNOWN_GRES, "gpu", demand.gpu_options[0], said, known)


def _licenses(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    asked = demand.licenses
    if asked is None or profile.licenses is None:
        return
    found = [obstacle for item in asked.items if (obstacle := _license(item, profile.licenses)) is not None]
    if not asked.any or len(found) == len(asked.items):
        yield from found


def _license(item: License, licenses: dict[str, int]) -> Obstacle | None:
    if item.name not in licenses:
        return _unknown(MisfitKind.UNKNOWN_LICENSE, item.name, "licenses", _BAD_LICENSE, licenses)
    has = licenses[item.name]
    if item.count <= has:
        return None
    asked = f"{item.count} {item.name}"
    return Obstacle(MisfitKind.TOO_MANY_LICENSES, asked, str(has), _BAD_LICENSE, options=("licenses",))


def _array(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    size = profile.settings.max_array_size
    array = demand.value("array", ArraySpec)
    if size and array is not None and array.greatest_written >= size:
        yield Obstacle(
            MisfitKind.ARRAY_INDEX,
            str(array.greatest_written),
            str(size - 1),
            "Invalid job array specification",
            options=("array",),
        )


# --- accounting ------------------------------------------------------------------------------------


def _enforced(profile: Profile, what: frozenset[str]) -> Certainty | None:
    """Return how sure it is that slurmctld looks at accounts, QOS or their limits; None if it does not."""
    enforced = profile.settings.accounting_enforce
    if profile.settings.accounting is False:
        return None
    if enforced is None:
        return Certainty.ASSUMED
    return Certainty.KNOWN if what & {word.lower() for word in enforced} else None


def _account(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    name, known = demand.text("account"), profile.accounts
    certainty = _enforced(profile, _ENFORCES_ACCOUNTS)
    if name is None or known is None or certainty is None:
        return
    if name.casefold() not in {account.casefold() for account in known}:
        yield Obstacle(
            MisfitKind.UNKNOWN_ACCOUNT,
            name,
            "",
            "Invalid account or account/partition combination specified",
            options=("account",),
            certainty=certainty,
            near=nearest(name, known) or "",
            choices=known,
        )


def _qos(demand: Demand, profile: Profile) -> Iterator[Obstacle]:
    name = demand.text("qos")
    certainty = _enforced(profile, _ENFORCES_QOS)
    if name is None or profile.qos is None or certainty is None:
        return
    qos = profile.named_qos(name)
    if qos is None:
        known = tuple(one.name for one in profile.qos)
        yield Obstacle(
            MisfitKind.UNKNOWN_QOS,
            name,
            "",
            "Invalid qos specification",
            options=("qos",),
            certainty=certainty,
            near=nearest(name, known) or "",
            choices=known,
        )
        return
    limits = _enforced(profile, _ENFORCES_LIMITS)
    if limits is not None:
        yield from _qos_limits(demand, qos, limits)


def _qos_limits(demand: Demand, qos: Qos, certainty: Certainty) -> Iterator[Obstacle]:
    """Compare with what one job may have under *qos*; with DenyOnLimit such a job is refused at once."""
    shortest = demand.time if demand.time_min is None else demand.time_min
    gpus = sum(item.count for item in demand.gpus)
    if not gpus:
        gpus = demand.nodes_min * sum(item.count for item in demand.gpus_on_a_node)
    rows: tuple[tuple[Limit | None, Limit | None, str, tuple[str, ...]], ...] = (
        (shortest, qos.max_time, "QOSMaxWallDurationPerJobLimit", ("time", "time-min")),
        (demand.nodes_min, qos.max_nodes, "QOSMaxNodePerJobLimit", ("nodes", "nodelist")),
        (demand.cpus, qos.max_cpus, "QOSMaxCpuPerJobLimit", ("ntasks", "ntasks-per-node", "cpus-per-task")),
        (gpus, qos.max_gpus, "QOSMaxGRESPerJob", demand.gpu_options),
    )
    for asked, most, reason, options in rows:
        if asked is None or most is None or not over(asked, most):
            continue
        timed = options[:1] == ("time",)
        yield Obstacle(
            MisfitKind.QOS_LIMIT,
            show_minutes(asked) if timed else str(asked),
            show_minutes(most) if timed else str(most),
            "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
            reason,
            (*demand.options(*options), "qos"),
            waits="DenyOnLimit" not in qos.flags,
            certainty=certainty,
        )
