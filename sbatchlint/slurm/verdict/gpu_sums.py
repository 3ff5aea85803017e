"""The conditions that the counts of one generic resource must meet, in Slurm's order and words."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.records import dataclass
from sbatchlint.slurm.options import Release
from sbatchlint.slurm.verdict.sizes import Sizes


@dataclass
class Amounts:
    """How many of one resource are asked for; 0 where an option does not say."""

    name: str
    per_job: int = 0
    per_node: int = 0
    per_socket: int = 0
    per_task: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """One condition that is not met."""

    said: str
    options: tuple[str, ...]
    detail: str = ""
    lacks: bool = False
    """Whether an option that is not given would mend it."""


_JOB, _SOCKET = "gpus", "gpus-per-socket"
_NODE = ("gpus-per-node", "gres")
_TASK = ("gpus-per-task", "tres-per-task")
_WHOLE_GPUS: Release = (21, 8)
"""First series in which the tasks must be a multiple of those of a GPU."""
_NAMES_TRES: Release = (23, 2)
_BAD = "Failed to validate job spec"


def sums(amounts: Amounts, sizes: Sizes, cpus_per_gpu: int | None) -> Failure | None:
    """Return the first condition that *amounts* do not meet.

    Numbers that Slurm concludes on the way (nodes, tasks, CPUs of a task) are set in *sizes*.
    """
    checks = (
        _order,
        _sockets_known,
        _job_by_nodes,
        _node_by_sockets,
        _tasks_by_gpu,
        _job_by_tasks,
        _node_by_tasks,
        _socket_by_tasks,
    )
    for check in checks:
        failure = next(check(amounts, sizes), None)
        if failure is not None:
            return failure
    return next(_cpus(amounts, sizes, cpus_per_gpu), None) or next(_enough_for_nodes(amounts, sizes), None)


def _order(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    job, node = amounts.per_job, amounts.per_node
    name = amounts.name
    if job and max(node, amounts.per_task, amounts.per_socket) > job:
        said = f"Failed to ensure --{name}s >= --gres={name}/--{name}s-per-node >= --{name}s-per-socket"
        yield Failure(said, (_JOB, *_NODE, *_TASK, _SOCKET))
    if node and max(amounts.per_task, amounts.per_socket) > node:
        said = f"Failed to ensure --{name}s >= --{name}s-per-task"
        yield Failure(said, (*_NODE, *_TASK, _SOCKET))


def _sockets_known(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    if amounts.per_socket and sizes.sockets is None:
        said = f"--{amounts.name}s-per-socket option requires --sockets-per-node specification"
        yield Failure(said, (_SOCKET,), lacks=True)


def _job_by_nodes(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    job, node, name = amounts.per_job, amounts.per_node, amounts.name
    if not job or not node:
        return
    if job % node:
        said = f"{_BAD}, --{name}s is not multiple of --gres={name}/--{name}s-per-node"
        yield Failure(said, (_JOB, *_NODE))
        return
    nodes = job // node
    low = sizes.min_nodes if sizes.nodes_set else None
    high = sizes.max_nodes if sizes.nodes_set and sizes.max_nodes else None
    if (low is not None and nodes < low) or (high is not None and nodes > high):
        said = (
            f"{_BAD}. Based on --{name} and --gres={name}/--{name}s-per-node required nodes ({nodes}) "
            f"doesn't fall between min_nodes ({low}) and max_nodes ({high}) boundaries."
        )
        yield Failure(said, (_JOB, *_NODE, "nodes"))
        return
    sizes.min_nodes = sizes.max_nodes = nodes
    sizes.nodes_set = True


def _node_by_sockets(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    node, socket, name = amounts.per_node, amounts.per_socket, amounts.name
    if not node or not socket:
        return
    if node % socket:
        said = f"{_BAD}, --gres={name}/--{name}s-per-node not multiple of --{name}s-per-socket."
        yield Failure(said, (*_NODE, _SOCKET))
    elif sizes.sockets != node // socket:
        said = (
            f"{_BAD}. Based on --gres={name}/--{name}s-per-node and --{name}s-per-socket required number of "
            "sockets differ from --sockets-per-node."
        )
        yield Failure(said, (*_NODE, _SOCKET, "sockets-per-node"))


def _tasks_by_gpu(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    each, tasks = sizes.tasks_per_gpu, sizes.known_tasks
    if each and tasks is not None and tasks % each and sizes.since(_WHOLE_GPUS):
        said = f"{_BAD}, -n/--ntasks has to be a multiple of --ntasks-per-{amounts.name}."
        yield Failure(said, ("ntasks", "ntasks-per-gpu", "ntasks-per-tres"))


def _job_by_tasks(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    job, task, name = amounts.per_job, amounts.per_task, amounts.name
    if not task:
        return
    if not job:
        if sizes.known_tasks is None:
            what = f"--{name}s-per-task"
            if sizes.since(_NAMES_TRES):
                what += " or --tres-per-task"
            said = f"{_BAD}. {what} used without either --{name}s or -n/--ntasks is not allowed."
            yield Failure(said, _TASK, lacks=True)
        else:
            amounts.per_job = sizes.tasks * task
        return
    if job % task:
        yield Failure(f"{_BAD}, --{name}s not multiple of --{name}s-per-task", (_JOB, *_TASK))
        return
    if sizes.known_tasks is None:
        sizes.tasks, sizes.tasks_set = job // task, True
    elif sizes.tasks != job // task:
        said = (
            f"{_BAD}. Based on --{name}s and --{name}s-per-task number of requested tasks differ from "
            "-n/--ntasks."
        )
        detail = f"{job} by {task} makes {job // task} tasks, not {sizes.tasks}"
        yield Failure(said, (_JOB, *_TASK, "ntasks", "nodes", "ntasks-per-node"), detail)


def _node_by_tasks(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    node, task, name = amounts.per_node, amounts.per_task, amounts.name
    if not node or not task:
        return
    if node % task:
        said = f"{_BAD}, --gres={name}/--{name}s-per-node not multiple of --{name}s-per-task."
        yield Failure(said, (*_NODE, *_TASK))
    elif not sizes.tasks_per_node:
        sizes.tasks_per_node = node // task
    elif sizes.tasks_per_node != node // task:
        said = (
            f"{_BAD}. Based on --gres={name}/--{name}s-per-node and --{name}s-per-task requested number of "
            "tasks per node differ from --ntasks-per-node."
        )
        detail = f"{node} by {task} makes {node // task} tasks a node, not {sizes.tasks_per_node}"
        yield Failure(said, (*_NODE, *_TASK, "ntasks-per-node"), detail)


def _socket_by_tasks(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    socket, task, name = amounts.per_socket, amounts.per_task, amounts.name
    if not socket or not task:
        return
    if socket % task:
        said = f"{_BAD}, --{name}s-per-socket not multiple of --{name}s-per-task."
        yield Failure(said, (_SOCKET, *_TASK))
    elif not sizes.tasks_per_socket:
        sizes.tasks_per_socket = socket // task
    elif sizes.tasks_per_socket != socket // task:
        said = (
            f"{_BAD}. Based on --{name}s-per-socket and --{name}s-per-task requested number of tasks per "
            "sockets differ from --ntasks-per-socket."
        )
        yield Failure(said, (_SOCKET, *_TASK, "ntasks-per-socket"))


def _cpus(amounts: Amounts, sizes: Sizes, cpus_per_gpu: int | None) -> Iterator[Failure]:
    if not cpus_per_gpu or not amounts.per_task:
        return
    cpus = cpus_per_gpu * amounts.per_task
    if not sizes.cpus_per_task:
        sizes.cpus_per_task = cpus
    elif sizes.cpus_per_task != cpus:
        name = amounts.name
        said = (
            f"{_BAD}. Based on --cpus-per-{name} and --{name}s-per-task requested number of cpus differ from "
            "-c/--cpus-per-task."
        )
        yield Failure(said, ("cpus-per-gpu", *_TASK, "cpus-per-task"))


def _enough_for_nodes(amounts: Amounts, sizes: Sizes) -> Iterator[Failure]:
    job = amounts.per_job
    if not job or not sizes.nodes_set:
        return
    if job < sizes.min_nodes:
        said = f"{_BAD}, --{amounts.name}s < -N"
        detail = f"{job} for {sizes.min_nodes} nodes"
        yield Failure(said, (_JOB, *_TASK, "nodes"), detail)
    elif sizes.max_nodes and job < sizes.max_nodes:
        sizes.max_nodes = job
