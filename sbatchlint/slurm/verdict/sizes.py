"""The numbers of nodes and tasks that sbatch sends, worked out as it does.

The rules are those of ``_opt_verify`` in ``src/sbatch/opt.c``, releases 20.11 to 26.05, and of
``slurm_opt_create_job_desc``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.grammar.c_text import leading_integer
from sbatchlint.slurm.grammar.counts import NodeShape
from sbatchlint.slurm.grammar.hosts import HostList
from sbatchlint.slurm.grammar.node_counts import NodeCount
from sbatchlint.slurm.grammar.tres import TresRequest
from sbatchlint.slurm.options import Release
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.slurm.verdict.exclusions import ignores_hint, overrules_hint
from sbatchlint.slurm.verdict.grounds import about
from sbatchlint.slurm.verdict.settings import Settings

SIZE_OPTIONS = frozenset(
    {
        "cores-per-socket",
        "cpus-per-gpu",
        "cpus-per-task",
        "distribution",
        "extra-node-info",
        "gpus",
        "gpus-per-node",
        "gpus-per-socket",
        "gpus-per-task",
        "gres",
        "hint",
        "mem-per-gpu",
        "nodelist",
        "nodes",
        "ntasks",
        "ntasks-per-core",
        "ntasks-per-gpu",
        "ntasks-per-node",
        "ntasks-per-socket",
        "ntasks-per-tres",
        "sockets-per-node",
        "threads-per-core",
        "tres-per-task",
    }
)
"""What the sums rest on: where one of them cannot be read, there are none."""

_HOSTS_MAY_EXCEED: Release = (23, 2)
_ANY_TASKS_PER_NODE: Release = (23, 2)
_TASKS_PER_CORE: Release = (23, 2)
_PLANE = "plane="
_SEGMENTS: Release = (26, 5)


@dataclass
class Sizes:
    """What sbatch sends; None for what it leaves open."""

    since: Callable[[Release], bool]
    """Tells whether the release is a given one or a later one."""
    min_nodes: int = 1
    max_nodes: int = 0
    """0 where there is no greatest number."""
    nodes_set: bool = False
    tasks: int = 1
    tasks_set: bool = False
    tasks_per_node: int | None = None
    tasks_per_socket: int | None = None
    tasks_per_core: int | None = None
    tasks_per_gpu: int | None = None
    sockets: int | None = None
    cores: int | None = None
    threads: int | None = None
    cpus_per_task: int | None = None
    complaints: list[Complaint] = field(default_factory=list)
    """What sbatch says while it works them out."""

    @property
    def known_tasks(self) -> int | None:
        """The number of tasks where sbatch sends one."""
        return self.tasks if self.tasks_set else None


def work_out(settings: Settings) -> Sizes | None:
    """Return the sizes of a component; None where a file or something unreadable decides."""
    rests_on = SIZE_OPTIONS - {"hint"} if overrules_hint(settings) else SIZE_OPTIONS
    if settings.doubtful(rests_on) or settings.given("nodefile"):
        return None
    hosts: int | None = None
    if settings.given("nodelist"):
        nodelist = settings.value("nodelist", HostList)
        hosts = None if nodelist is None else nodelist.count()
        if hosts is None:
            return None
    sizes = _as_given(settings)
    sizes.complaints += _work_out(sizes, settings, hosts)
    return sizes


def _as_given(settings: Settings) -> Sizes:
    sizes = Sizes(
        settings.since,
        tasks_per_node=settings.integer("ntasks-per-node"),
        tasks_per_socket=settings.integer("ntasks-per-socket"),
        tasks_per_core=settings.integer("ntasks-per-core"),
        tasks_per_gpu=settings.integer("ntasks-per-tres") or settings.integer("ntasks-per-gpu"),
        cpus_per_task=settings.integer("cpus-per-task"),
    )
    nodes = settings.value("nodes", NodeCount)
    if nodes is not None:
        sizes.min_nodes, sizes.max_nodes, sizes.nodes_set = nodes.low, nodes.high, True
    tasks = settings.integer("ntasks")
    if tasks is not None:
        sizes.tasks, sizes.tasks_set = tasks, True
    tres = settings.value("tres-per-task", TresRequest)
    if tres is not None and tres.cpus is not None:
        sizes.cpus_per_task = tres.cpus
    _shape(sizes, settings)
    return sizes


def _shape(sizes: Sizes, settings: Settings) -> None:
    """Take the shape of a node: what is given last counts, and ``--hint`` where it is not overruled."""
    shape = settings.value("extra-node-info", NodeShape)
    for use in settings.request.uses:
        name = use.spec.long
        if name == "extra-node-info" and shape is not None:
            ranges = (shape.sockets, shape.cores_per_socket, shape.threads_per_core)
            sizes.sockets, sizes.cores, sizes.threads = (None if one is None else one.low for one in ranges)
        elif name == "sockets-per-node":
            sizes.sockets = settings.integer(name)
        elif name == "cores-per-socket":
            sizes.cores = settings.integer(name)
        elif name == "threads-per-core":
            sizes.threads = settings.integer(name)
    hint = settings.use("hint")
    if hint is None or ignores_hint(settings):
        return
    words = (hint.value or "").lower().split(",")
    if "compute_bound" in words:
        sizes.sockets, sizes.cores, sizes.threads = None, None, 1
    if "memory_bound" in words:
        sizes.cores = sizes.threads = 1
    if "nomultithread" in words:
        sizes.threads = 1


def _work_out(sizes: Sizes, settings: Settings, hosts: int | None) -> Iterator[Complaint]:
    if hosts is not None and (not sizes.nodes_set or not settings.since(_HOSTS_MAY_EXCEED)):
        sizes.min_nodes = max(hosts, sizes.min_nodes) if sizes.nodes_set else hosts
        sizes.nodes_set = True
    open_ended = sizes.max_nodes in (0, sizes.min_nodes)
    by_node = sizes.tasks_per_node if open_ended and not sizes.tasks_set else None
    if by_node and not settings.since(_ANY_TASKS_PER_NODE):
        sizes.tasks, sizes.tasks_set = sizes.min_nodes * by_node, True
    if sizes.max_nodes and sizes.min_nodes > sizes.max_nodes:
        said = f"invalid number of nodes (-N {sizes.min_nodes}-{sizes.max_nodes})"
        yield about(settings, ("nodelist", "nodes"), ComplaintKind.MORE_HOSTS_THAN_NODES, said)
        return
    yield from _plane(sizes, settings)
    yield from _settle(sizes, settings)
    yield from _tasks_per_node(sizes, settings)
    yield from _tasks_per_core(sizes, settings)
    yield from _segments(sizes, settings)


def _plane(sizes: Sizes, settings: Settings) -> Iterator[Complaint]:
    use = settings.use("distribution")
    text = "" if use is None else (use.value or "").lower()
    digits = text.removeprefix(_PLANE).partition(",")[0]
    if not text.startswith(_PLANE) or not digits.isdecimal():
        return
    size, _ = leading_integer(digits)
    if not size or (sizes.min_nodes > 0 and sizes.tasks // size >= sizes.min_nodes):
        return
    # An empty node list makes it no nodes, and Slurm multiplies without a sign.
    if not sizes.min_nodes or (sizes.min_nodes - 1) * size >= sizes.tasks:
        kind = ComplaintKind.TOO_FEW_TASKS_FOR_PLANE
        names = ("distribution", "nodes", "ntasks")
        yield about(settings, names, kind, "Too few processes for the requested {plane,node} distribution")


def _settle(sizes: Sizes, settings: Settings) -> Iterator[Complaint]:
    """Fit nodes and tasks to each other."""
    alike = sizes.max_nodes in (0, sizes.min_nodes)
    shaped = settings.given("extra-node-info")
    countable = (sizes.nodes_set or shaped) and alike and not sizes.tasks_set
    if countable and (sizes.tasks_per_node is None or not settings.since(_ANY_TASKS_PER_NODE)):
        sizes.tasks = max(sizes.min_nodes, 1)
        for factor in (sizes.sockets, sizes.cores, sizes.threads):
            if factor is not None:
                sizes.tasks, sizes.tasks_set = sizes.tasks * factor, True
    elif sizes.nodes_set and sizes.tasks_set:
        sizes.max_nodes = min(sizes.max_nodes, sizes.tasks)
        if sizes.tasks < sizes.min_nodes:
            tasks, nodes = sizes.tasks, sizes.min_nodes
            said = f"can't run {tasks} processes on {nodes} nodes, setting nnodes to {tasks}"
            kind = ComplaintKind.FEWER_TASKS_THAN_NODES
            yield about(settings, ("nodes", "ntasks", "nodelist"), kind, said, effect=Effect.WARNED)
            sizes.min_nodes = sizes.max_nodes = sizes.tasks


def _tasks_per_node(sizes: Sizes, settings: Settings) -> Iterator[Complaint]:
    """Beside ``--ntasks``, the tasks of a node are only a limit; the nodes may be too few for it."""
    limit, nodes = sizes.tasks_per_node, sizes.max_nodes
    if not limit or not nodes or not settings.given("ntasks") or settings.given("overcommit"):
        return
    if sizes.tasks > limit * nodes:
        detail = f"{nodes} nodes with {limit} tasks each are too few for {sizes.tasks} tasks"
        names = ("ntasks", "ntasks-per-node", "nodes")
        kind = ComplaintKind.TASKS_BEYOND_LIMIT
        said = "Requested node configuration is not available"
        yield about(settings, names, kind, said, detail=detail, stage=Stage.NODES)


def _tasks_per_core(sizes: Sizes, settings: Settings) -> Iterator[Complaint]:
    of_core, threads = sizes.tasks_per_core, sizes.threads
    if of_core is not None and threads is not None and threads < of_core and settings.since(_TASKS_PER_CORE):
        said = f"--ntasks-per-core ({of_core}) can not be bigger than --threads-per-core ({threads})"
        names = ("ntasks-per-core", "threads-per-core", "extra-node-info", "hint")
        yield about(settings, names, ComplaintKind.TASKS_PER_CORE, said)


def _segments(sizes: Sizes, settings: Settings) -> Iterator[Complaint]:
    size = settings.integer("segment")
    nodes = settings.value("nodes", NodeCount)
    if not size or nodes is None or not settings.since(_SEGMENTS):
        return
    count = nodes.high if nodes.sizes else nodes.low
    if count > size and count % size:
        said = (
            f"--segment={size} does not fit the job size ({count}): "
            "node count must be evenly divisible by segment size"
        )
        yield about(settings, ("segment", "nodes"), ComplaintKind.SEGMENTS, said)
