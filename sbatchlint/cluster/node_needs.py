"""What every node of a job must have, one need after the other.

Sources: ``_build_node_list`` in ``src/slurmctld/node_scheduler.c`` and ``can_job_run_on_node`` in
``src/plugins/select/cons_tres``, and a live Slurm.  Where Slurm looks at cores, threads or sockets
more closely, a need asks for less rather than for more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.features import has_features
from sbatchlint.cluster.memory_needs import gpus_given, memory_needs
from sbatchlint.cluster.misfit import MisfitKind
from sbatchlint.cluster.node_groups import MANY, gpus_for
from sbatchlint.cluster.node_need import NodeNeed, cpu_options
from sbatchlint.cluster.profile import NodeType, Partition, Profile
from sbatchlint.cluster.resources import ANY_TYPE
from sbatchlint.cluster.units import UNLIMITED
from sbatchlint.slurm.grammar.counts import NodeShape
from sbatchlint.slurm.grammar.features import Constraint
from sbatchlint.slurm.grammar.gres_items import Gres

_STRONGER_THAN_HINT = ("ntasks-per-core", "threads-per-core", "extra-node-info")
_SHAPE = ("sockets-per-node", "cores-per-socket", "threads-per-core")
_SHAPE_FIELDS = ("sockets", "cores_per_socket", "threads_per_core")
_NEEDS_GPUS = (23, 2)
"""Before, a job with ``--cpus-per-gpu`` and without GPUs is taken for nodes that have GPUs."""


def node_needs(demand: Demand, profile: Profile, partition: Partition) -> Iterator[NodeNeed]:
    """Yield what every node of the job must have in *partition*."""
    yield from _features(demand)
    yield from _gpus(demand)
    yield from _gres(demand)
    yield from memory_needs(demand, profile)
    yield from _cpus(demand, partition)
    yield from _disk(demand)
    yield from _shape(demand)


def _features(demand: Demand) -> Iterator[NodeNeed]:
    constraint = demand.value("constraint", Constraint)
    if constraint is None or not constraint.members:
        return

    def fits(kind: NodeType) -> bool:
        return kind.features is None or has_features(kind.features, constraint) is not False

    yield NodeNeed(
        MisfitKind.FEATURES,
        demand.text("constraint") or "",
        ("constraint",),
        fits,
        lambda kind: ",".join(kind.features or ()),
    )


def _gpus(demand: Demand) -> Iterator[NodeNeed]:
    wanted = [*demand.gpus_on_a_node, *demand.gpus, *demand.gpus_per_task]
    for name in dict.fromkeys(item.type for item in wanted if item.type is not None and item.count):
        yield NodeNeed(MisfitKind.GPU_TYPE, name, demand.gpu_options, _has_type(name), _types)
    if not wanted and demand.given("cpus-per-gpu") and demand.release < _NEEDS_GPUS:
        yield NodeNeed(
            MisfitKind.GPUS_PER_NODE, "1", ("cpus-per-gpu",), lambda kind: kind.gpu_count != 0, _all_gpus
        )
    for item in demand.gpus_on_a_node:
        if item.count:
            asked = f"{item.count} {item.type or ''}".strip()
            options = (*demand.gpu_options, *demand.options("ntasks-per-node", "ntasks"))
            yield NodeNeed(MisfitKind.GPUS_PER_NODE, asked, options, _has_gpus(item), _gpu_count(item))


def _all_gpus(kind: NodeType) -> str:
    return "" if kind.gpu_count is None else str(kind.gpu_count)


def _has_type(name: str) -> Callable[[NodeType], bool]:
    return lambda kind: kind.gpu_types is None or bool({name, ANY_TYPE} & set(kind.gpu_types))


def _types(kind: NodeType) -> str:
    return ",".join(name for name in kind.gpu_types or () if name)


def _has_gpus(item: Gres) -> Callable[[NodeType], bool]:
    return lambda kind: gpus_for(kind, item) >= item.count


def _gpu_count(item: Gres) -> Callable[[NodeType], str]:
    return lambda kind: str(gpus_for(kind, item))


def _gres(demand: Demand) -> Iterator[NodeNeed]:
    for item in demand.other_gres:
        if item.count:
            yield NodeNeed(
                MisfitKind.GRES_PER_NODE,
                f"{item.name}:{item.count}",
                ("gres",),
                _has_gres(item),
                _gres_count(item),
            )


def _has_gres(item: Gres) -> Callable[[NodeType], bool]:
    return lambda kind: kind.gres is None or kind.gres.get(item.name, 0) >= item.count


def _gres_count(item: Gres) -> Callable[[NodeType], str]:
    return lambda kind: str((kind.gres or {}).get(item.name, 0))


# --- CPUs and the rest -----------------------------------------------------------------------------


def cpus_of(kind: NodeType, partition: Partition) -> int:
    """Return the CPUs of a node that the partition gives; :data:`MANY` where that is not known."""
    most = partition.max_cpus_per_node
    cpus = MANY if kind.cpus is None else kind.cpus
    return cpus if most is None or most == UNLIMITED else min(cpus, most)


def _cpus(demand: Demand, partition: Partition) -> Iterator[NodeNeed]:
    least = demand.cpus_on_a_node
    if least > 1:
        yield NodeNeed(
            MisfitKind.CPUS_PER_NODE,
            str(least),
            cpu_options(demand),
            lambda kind: cpus_of(kind, partition) >= least,
            lambda kind: str(cpus_of(kind, partition)),
        )
    per_gpu = demand.value("cpus-per-gpu", int)
    if per_gpu and demand.request.exclusive:
        yield NodeNeed(
            MisfitKind.CPUS_PER_NODE,
            f"{per_gpu} for each GPU",
            demand.options("cpus-per-gpu", "exclusive"),
            lambda kind: cpus_of(kind, partition) >= per_gpu * gpus_given(kind, demand),
            lambda kind: str(cpus_of(kind, partition)),
        )


def _disk(demand: Demand) -> Iterator[NodeNeed]:
    disk = demand.megabytes("tmp")
    if disk:
        yield NodeNeed(
            MisfitKind.TMP_DISK,
            f"{disk}M",
            ("tmp",),
            lambda kind: kind.tmp_disk_mib is None or kind.tmp_disk_mib >= disk,
            lambda kind: f"{kind.tmp_disk_mib}M",
        )


def _shape(demand: Demand) -> Iterator[NodeNeed]:
    if demand.options("hint") and not demand.options(*_STRONGER_THAN_HINT):
        return  # before 25.11 --hint wipes out how many sockets and cores are asked for
    wanted = [demand.value(name, int) for name in _SHAPE]
    options = demand.options(*_SHAPE, "extra-node-info")
    shape = demand.value("extra-node-info", NodeShape)
    if shape is not None:
        parts = (shape.sockets, shape.cores_per_socket, shape.threads_per_core)
        written = [None if part is None else part.low for part in parts]
        wanted = [own or part for own, part in zip(wanted, written, strict=True)]
    if any(wanted):
        yield NodeNeed(
            MisfitKind.NODE_SHAPE,
            ":".join(str(part or "*") for part in wanted),
            options,
            lambda kind: all(
                part is None or has is None or has >= part
                for part, has in zip(wanted, _shape_of(kind), strict=True)
            ),
            lambda kind: ":".join("*" if part is None else str(part) for part in _shape_of(kind)),
        )


def _shape_of(kind: NodeType) -> tuple[int | None, ...]:
    return tuple(getattr(kind, name) for name in _SHAPE_FIELDS)
