"""Whether a job can run on a cluster, and what becomes of it if not.

Where several partitions are asked for, Slurm takes the first that can start the job.  At submission
EnforcePartLimits decides: ALL wants the job within the limits of each, ANY of at least one, NO of none,
and then it waits.  What no node can do is refused in any case once no partition is left.
Sources: ``_valid_job_part`` and ``job_allocate`` in ``src/slurmctld/job_mgr.c``, and a live Slurm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.limits import partition_obstacles
from sbatchlint.cluster.memory_limits import PARTITION_CONFIG
from sbatchlint.cluster.misfit import Misfit, MisfitKind, Obstacle, Outcome
from sbatchlint.cluster.names import cluster_obstacles
from sbatchlint.cluster.nodes import node_obstacles
from sbatchlint.cluster.profile import Partition, Profile
from sbatchlint.records import dataclass
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_LEAVES_NODES_OPEN = frozenset(
    {MisfitKind.PARTITION_CLOSED, MisfitKind.TOO_MANY_NODES, MisfitKind.NODE_OUTSIDE_PARTITION}
)
"""With one of these in the way, what the nodes could do is not worth saying."""
_CLOSED = frozenset({MisfitKind.PARTITION_CLOSED, MisfitKind.RESERVATION_NEEDED})
"""Refused by one partition, refused for all, whatever EnforcePartLimits says."""


@dataclass(frozen=True, slots=True)
class _Partition:
    """What is in the job's way in one partition."""

    partition: Partition
    obstacles: tuple[Obstacle, ...]
    impossible: bool
    """Whether something is in the way that is refused in any case, said or not."""

    @property
    def limited(self) -> bool:
        """Whether a limit is in the way that EnforcePartLimits may let pass."""
        return any(obstacle.limit for obstacle in self.obstacles)

    @property
    def crowded(self) -> bool:
        """Whether the job wants more nodes than the partition allows."""
        return any(obstacle.kind is MisfitKind.TOO_MANY_NODES for obstacle in self.obstacles)

    @property
    def too_long(self) -> bool:
        """Whether the job is over the time limit."""
        return any(obstacle.kind is MisfitKind.TIME_LIMIT for obstacle in self.obstacles)


def fit(request: JobRequest, profile: Profile) -> tuple[Misfit, ...]:
    """Compare a job, all its components, with a cluster; empty where it fits or where nobody can tell.

    Values are read as the profile's release reads them.
    """
    found: list[Misfit] = []
    for number, component in enumerate(request.components):
        demand = Demand(component, profile.series)
        if not component.unsure and not _for_another(demand, profile):
            found += (replace(misfit, component=number) for misfit in _misfits(demand, profile))
    return tuple(found)


def _for_another(demand: Demand, profile: Profile) -> bool:
    """Tell whether ``--clusters`` may send the job elsewhere."""
    names = demand.text("clusters")
    return names is not None and names != profile.name


def _misfits(demand: Demand, profile: Profile) -> Iterable[Misfit]:
    everywhere = tuple(cluster_obstacles(demand, profile))
    for obstacle in everywhere:
        outcome = Outcome.WAITS if obstacle.waits else Outcome.REFUSED
        yield _misfit(demand, obstacle, outcome, ())
    unknown = {MisfitKind.UNKNOWN_PARTITION, MisfitKind.UNKNOWN_NODE, MisfitKind.UNKNOWN_FEATURE}
    if unknown & {obstacle.kind for obstacle in everywhere}:
        return  # what a partition would say depends on the name that was meant
    partitions = _asked_for(demand, profile)
    tried = [_try(demand, profile, partition) for partition in partitions]
    if tried:
        yield from _judge(demand, profile, tried)


def _asked_for(demand: Demand, profile: Profile) -> list[Partition]:
    """Return the partitions that the job may run in; none where that is not known."""
    if not demand.partitions:
        return [] if profile.default_partition is None else [profile.default_partition]
    found = [profile.partition(name) for name in demand.partitions]
    known = [partition for partition in found if partition is not None]
    return known if len(known) == len(found) else []


def _try(demand: Demand, profile: Profile, partition: Partition) -> _Partition:
    found = list(partition_obstacles(demand, profile, partition))
    of_nodes = node_obstacles(demand, profile, partition)
    impossible = bool(of_nodes) or any(not obstacle.limit and not obstacle.waits for obstacle in found)
    if not _LEAVES_NODES_OPEN & {obstacle.kind for obstacle in found}:
        said = {(obstacle.kind, obstacle.options[:1]) for obstacle in found}
        found += (each for each in of_nodes if (each.kind, each.options[:1]) not in said)
    if partition.state == "DOWN":
        alone, enforce = len(demand.partitions) < 2, profile.settings.enforce_part_limits
        found = [_not_looked_at(obstacle, alone, enforce) for obstacle in found]
    if not demand.partitions and profile.settings.job_submit_plugins:
        # A plugin may well choose another partition than the default one.
        found = [replace(obstacle, certainty=Certainty.ASSUMED) for obstacle in found]
    return _Partition(partition, tuple(found), impossible)


def _not_looked_at(obstacle: Obstacle, alone: bool, enforce: str | None) -> Obstacle:
    """Of a partition that is down, slurmctld does not compare limits that only scheduling needs."""
    late = enforce == "NO" or obstacle.said == PARTITION_CONFIG
    kinds = (MisfitKind.TIME_LIMIT, MisfitKind.TOO_MANY_NODES, MisfitKind.TOO_FEW_NODES)
    if obstacle.limit and (late or (obstacle.kind in kinds and not alone)):
        return replace(obstacle, limit=False, waits=True)
    return obstacle


# --- what becomes of the job -----------------------------------------------------------------------


def _judge(demand: Demand, profile: Profile, tried: Sequence[_Partition]) -> Iterable[Misfit]:
    outcome = _outcome(profile.settings.enforce_part_limits, tried)
    if outcome is None:
        return
    # Where one partition spoils it for the others, only that which spoils it is to blame.
    spoilt = outcome is Outcome.REFUSED and not all(
        one.impossible or one.limited for one in _looked_at(tried)
    )
    merged: dict[tuple[MisfitKind, tuple[str, ...], str], list[tuple[str, Obstacle]]] = {}
    for one in tried:
        for obstacle in one.obstacles:
            if obstacle.waits and outcome is Outcome.REFUSED:
                continue
            if spoilt and not obstacle.limit and obstacle.kind not in _CLOSED:
                continue
            key = (obstacle.kind, obstacle.options, obstacle.asked)
            merged.setdefault(key, []).append((one.partition.name, obstacle))
    for found in merged.values():
        yield _misfit(demand, _merged(found), outcome, tuple(name for name, _ in found))


def _closed(one: _Partition) -> bool:
    return any(obstacle.kind in _CLOSED for obstacle in one.obstacles)


def _outcome(enforce: str | None, tried: Sequence[_Partition]) -> Outcome | None:
    """Return what becomes of a job with these obstacles; None where it can run."""
    if any(_closed(one) for one in tried):
        return Outcome.REFUSED
    if enforce == "ALL" and any(one.limited for one in tried):
        return Outcome.REFUSED
    if any(not one.obstacles for one in tried):
        return None
    if enforce in ("ALL", "ANY") and all(one.too_long for one in tried):
        return Outcome.REFUSED
    if enforce in (None, "NO") and len(tried) == 1 and tried[0].limited:
        # slurmctld does not even look at the nodes then.
        return Outcome.UNSURE if enforce is None else Outcome.WAITS
    if enforce == "ANY" and all(one.limited for one in tried):
        return Outcome.REFUSED
    if _waits_for_one_down(enforce, tried):
        return Outcome.WAITS
    if all(one.impossible for one in tried):
        # Which of its reasons slurmctld finds first decides, where one of them is MaxNodes.
        crowded = enforce == "NO" and any(one.crowded for one in tried)
        return Outcome.UNSURE if crowded else Outcome.REFUSED
    if enforce == "ANY" and all(one.impossible or one.limited for one in _looked_at(tried)):
        return Outcome.REFUSED
    if enforce is None and any(one.limited for one in tried):
        return Outcome.UNSURE
    return Outcome.WAITS


def _looked_at(tried: Sequence[_Partition]) -> Sequence[_Partition]:
    """Return the partitions that are not down, or all if all are: under ANY slurmctld looks at no others."""
    return [one for one in tried if one.partition.state != "DOWN"] or tried


def _waits_for_one_down(enforce: str | None, tried: Sequence[_Partition]) -> bool:
    """Tell whether one of several partitions is down, and slurmctld forgets the nodes over that."""
    down = [one.partition.state == "DOWN" for one in tried]
    return len(tried) > 1 and (any(down) if enforce == "ALL" else enforce is not None and down[-1])


def _merged(found: Sequence[tuple[str, Obstacle]]) -> Obstacle:
    """Make one obstacle of those that are the same in several partitions."""
    obstacles = [obstacle for _, obstacle in found]
    offers = dict.fromkeys(obstacle.offered for obstacle in obstacles)
    offered = next(iter(offers))
    if len(offers) > 1:
        offered = ", ".join(f"{obstacle.offered} in {name}" for name, obstacle in found)
    return replace(
        obstacles[0],
        offered=offered,
        certainty=max(obstacle.certainty for obstacle in obstacles),
        choices=tuple(dict.fromkeys(choice for obstacle in obstacles for choice in obstacle.choices)),
    )


def _misfit(demand: Demand, obstacle: Obstacle, outcome: Outcome, partitions: tuple[str, ...]) -> Misfit:
    span, related = _places(demand, obstacle.options)
    return Misfit(
        obstacle.kind,
        outcome,
        obstacle.asked,
        obstacle.offered,
        obstacle.said,
        "" if outcome is Outcome.REFUSED else obstacle.reason,
        partitions,
        obstacle.options,
        span,
        related,
        obstacle.certainty,
        obstacle.near,
        obstacle.choices,
    )


def _places(demand: Demand, options: Sequence[str]) -> tuple[Span | None, tuple[Span, ...]]:
    """Return where the first of *options* stands, and where the others do."""
    uses = [use for use in map(demand.request.get, dict.fromkeys(options)) if use is not None]
    spans = [use.span for use in uses]
    first = spans[0] if spans else None
    return first, tuple(span for span in spans[1:] if span is not None and span != first)
