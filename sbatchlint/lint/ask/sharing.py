"""Whether other jobs may run on the nodes of a job at the same time."""

from __future__ import annotations

from enum import Enum

from sbatchlint.lint.job import Job

_WHOLE = 8
"""GPUs that are a whole node nearly everywhere."""
_FEW = 2
"""GPUs that nearly always leave some of the node to others."""
_HALF, _FOR_GPU = 256 * 1024, 128 * 1024
"""Memory in MiB that few nodes can give twice, unless it is no more than the share of the job's GPUs."""


class Sharing(Enum):
    """How likely it is that a node is shared with other jobs."""

    NO = "no"
    MAYBE = "maybe"
    LIKELY = "likely"


def shares_nodes(job: Job) -> Sharing:
    """Tell whether other jobs may run beside *job*, as far as directives and profile tell."""
    request = job.request
    memory = request.get("mem")
    if request.get("exclusive") is not None or (memory is not None and memory.value == "0"):
        return Sharing.NO
    if _takes_whole_nodes(job):
        return Sharing.NO
    gpus, nodes = request.gpus_per_node, request.nodes
    if gpus is not None and gpus.value >= _WHOLE:
        return Sharing.NO
    if gpus is None or nodes is None or nodes.value > 1 or gpus.value > _FEW:
        return Sharing.MAYBE
    return Sharing.LIKELY


def takes_most_memory(job: Job) -> bool:
    """Tell whether the job takes so much memory of each node that few nodes have as much for a second one."""
    memory, gpus = _memory_of_node(job), job.request.gpus_per_node
    return memory is not None and memory >= max(_HALF, _FOR_GPU * (gpus.value if gpus is not None else 0))


def _memory_of_node(job: Job) -> int | None:
    """The memory in MiB that the job takes of each node; None where that is not told."""
    whole, each, gpus = (
        job.request.memory_per_node,
        job.request.memory_per_gpu,
        job.request.gpus_per_node,
    )
    if whole is not None:
        return whole.mebibytes
    return each.mebibytes * gpus.value if each is not None and gpus is not None else None


def _takes_whole_nodes(job: Job) -> bool:
    """Whether the profile says that the job's partitions give whole nodes only."""
    known = job.cluster.partitions if job.cluster is not None else None
    partition = job.request.get("partition")
    names = (partition.value or "").split(",") if partition is not None else []
    chosen = [one for one in known or () if (one.name in names if names else one.default)]
    return bool(chosen) and all((one.over_subscribe or "").startswith("EXCLUSIVE") for one in chosen)
