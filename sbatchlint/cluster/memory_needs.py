"""The memory that every node of a job must have: for itself, for its CPUs or for its GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.cluster.demand import Demand
from sbatchlint.cluster.misfit import MisfitKind
from sbatchlint.cluster.node_need import NodeNeed, cpu_options
from sbatchlint.cluster.profile import NodeType, Profile

_MEMORY_OPTIONS = ("mem", "mem-per-cpu", "mem-per-gpu")
_ABOUT_THREADS = ("hint", "threads-per-core", "ntasks-per-core", "extra-node-info")


def memory_is_shared_out(profile: Profile) -> bool:
    """Tell whether the cluster gives out memory, so that what CPUs and GPUs bring along adds up."""
    parameters = profile.settings.select_type_parameters
    return parameters is not None and any("MEMORY" in name.upper() for name in parameters)


def _gives_cores(profile: Profile) -> bool:
    parameters = profile.settings.select_type_parameters or ()
    return any(name.upper().startswith("CR_CORE") for name in parameters)


def memory_needs(demand: Demand, profile: Profile) -> Iterator[NodeNeed]:
    """Yield the memory that every node of the job must have."""
    options = demand.options(*_MEMORY_OPTIONS)
    whole = demand.megabytes("mem")
    each = demand.megabytes("mem-per-cpu")
    each_gpu = demand.megabytes("mem-per-gpu")
    if whole:
        yield _memory_need(whole, options)
    elif each:
        yield _memory_of_cpus(each, demand, profile)
    elif each_gpu and memory_is_shared_out(profile):
        yield _memory_of_gpus(each_gpu, demand)


def gpus_given(kind: NodeType, demand: Demand) -> int:
    """Return how many GPUs of a node the job gets: a job that has its nodes for itself gets all."""
    asked = sum(item.count for item in demand.gpus_on_a_node)
    return max(asked, kind.gpu_count or 0) if demand.request.exclusive else asked


def _memory_of_gpus(each: int, demand: Demand) -> NodeNeed:
    options = (*demand.options("mem-per-gpu"), *demand.gpu_options, *demand.options("exclusive"))
    return NodeNeed(
        MisfitKind.MEMORY_PER_NODE,
        f"{each}M for each GPU",
        options,
        lambda kind: kind.memory_mib is None or kind.memory_mib >= each * gpus_given(kind, demand),
        lambda kind: f"{kind.memory_mib}M",
    )


def _memory_of_cpus(each: int, demand: Demand, profile: Profile) -> NodeNeed:
    """The memory of all CPUs that a node gives: those of its tasks, or of a whole node all it has.

    Where cores are given out, a task gets all threads of its core, and each brings its memory along.
    """
    shared = memory_is_shared_out(profile)
    cores = shared and _gives_cores(profile) and not demand.given(*_ABOUT_THREADS)
    least = demand.tasks_on_a_node * demand.cpus_per_task if shared else 1
    whole = shared and demand.request.exclusive

    def wanted(kind: NodeType) -> int:
        threads = kind.threads_per_core or 1 if cores else 1
        cpus = -(-least // threads) * threads
        return each * (max(cpus, kind.cpus) if whole and kind.cpus is not None else cpus)

    options = (*demand.options("mem-per-cpu"), *cpu_options(demand), *demand.options("exclusive"))
    return NodeNeed(
        MisfitKind.MEMORY_PER_NODE,
        f"{each}M for each CPU" if whole else f"{each * least}M",
        options,
        lambda kind: kind.memory_mib is None or kind.memory_mib >= wanted(kind),
        lambda kind: f"{kind.memory_mib}M",
    )


def _memory_need(mebibytes: int, options: tuple[str, ...]) -> NodeNeed:
    return NodeNeed(
        MisfitKind.MEMORY_PER_NODE,
        f"{mebibytes}M",
        options,
        lambda kind: kind.memory_mib is None or kind.memory_mib >= mebibytes,
        lambda kind: f"{kind.memory_mib}M",
    )
