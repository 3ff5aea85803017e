"""What a cluster gives a job that does not ask: time and memory, as far as its profile tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.lint.job import Job

if TYPE_CHECKING:
    from sbatchlint.cluster.profile import Partition

_MEMORY = ("mem", "mem-per-cpu", "mem-per-gpu", "exclusive")
_OTHER_CPUS = ("cpus-per-gpu", "mincpus", "threads-per-core", "ntasks-per-core", "hint", "extra-node-info")


def _chosen_partition(job: Job) -> Partition | None:
    """The only partition that the job can run in; None where that is not known."""
    if job.cluster is None:
        return None
    if job.request.get("partition") is None:
        return job.cluster.default_partition
    names = job.request.partitions
    return job.cluster.partition(names[0]) if names is not None and len(names) == 1 else None


def default_minutes(job: Job) -> int | None:
    """The time limit in minutes of a job that asks for none, where a longer one could be asked for."""
    partition = _chosen_partition(job)
    if partition is None or job.request.get("time") is not None:
        return None
    given, longest = partition.default_time, partition.max_time
    if not isinstance(given, int):
        return None
    return given if not isinstance(longest, int) or longest > given else None


def default_memory(job: Job) -> int | None:
    """The MiB on each node of a job that asks for no memory; None where that is not known, or is all."""
    partition, request = _chosen_partition(job), job.request
    if partition is None or any(map(request.get, (*_MEMORY, *_OTHER_CPUS))):
        return None
    if (partition.over_subscribe or "").startswith("EXCLUSIVE"):
        return None
    tasks = request.ntasks_per_node
    cpus = request.cpus_per_task
    if tasks is None and request.get("ntasks") is not None:
        return None
    assert job.cluster is not None
    for limits in (partition, job.cluster.settings):
        each, whole = limits.default_memory_per_cpu_mib, limits.default_memory_per_node_mib
        if isinstance(each, int):
            return each * (1 if tasks is None else tasks.value) * (1 if cpus is None else cpus.value)
        if whole is not None:
            return whole if isinstance(whole, int) else None
    return None
