"""The variables that Slurm sets: which there are, where they differ, and what a job's are.

Checked with real jobs of Slurm 22.05.8; where 26.05 differs (``src/common/env.c``) the answer is that
it is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.slurm.option_use import Count, OptionUse
from sbatchlint.slurm.request import JobRequest
from sbatchlint.slurm.values import positive_integer
from sbatchlint.source import Span

PER_TASK: Mapping[str, str | None] = MappingProxyType(
    {
        "SLURM_PROCID": "0",
        "SLURM_LOCALID": "0",
        "SLURM_NODEID": "0",
        "SLURM_GTIDS": "0",
        "SLURM_TASK_PID": None,
        "SLURMD_NODENAME": None,
        "SLURM_TOPOLOGY_ADDR": None,
    }
)
"""Variables that differ between the tasks or nodes of a step, with the value that the batch shell sees;
None where that is set but cannot be told."""

STEP_VARIABLES: frozenset[str] = frozenset(
    {
        "SLURM_CPU_BIND",
        "SLURM_CPU_BIND_LIST",
        "SLURM_CPU_BIND_TYPE",
        "SLURM_CPU_BIND_VERBOSE",
        "SLURM_LAUNCH_NODE_IPADDR",
        "SLURM_SRUN_COMM_HOST",
        "SLURM_SRUN_COMM_PORT",
        "SLURM_STEPID",
        "SLURM_STEP_GPUS",
        "SLURM_STEP_ID",
        "SLURM_STEP_LAUNCHER_PORT",
        "SLURM_STEP_NODELIST",
        "SLURM_STEP_NUM_NODES",
        "SLURM_STEP_NUM_TASKS",
        "SLURM_STEP_RESV_PORTS",
        "SLURM_STEP_TASKS_PER_NODE",
    }
)
"""Variables that only a step's tasks have: unset in the batch shell."""

ALWAYS_SET: frozenset[str] = frozenset(
    {
        "SLURM_CLUSTER_NAME",
        "SLURM_CPUS_ON_NODE",
        "SLURM_JOBID",
        "SLURM_JOB_CPUS_PER_NODE",
        "SLURM_JOB_GID",
        "SLURM_JOB_ID",
        "SLURM_JOB_NODELIST",
        "SLURM_JOB_UID",
        "SLURM_JOB_USER",
        "SLURM_NODELIST",
        "SLURM_PRIO_PROCESS",
        "SLURM_SUBMIT_DIR",
        "SLURM_SUBMIT_HOST",
    }
)
"""Variables that every batch shell has, with values that no script tells."""

_ARRAY = ("JOB_ID", "TASK_ID", "TASK_COUNT", "TASK_MIN", "TASK_MAX", "TASK_STEP")
_AS_WRITTEN = (
    ("SLURM_GPUS", "gpus"),
    ("SLURM_GPUS_PER_NODE", "gpus-per-node"),
    ("SLURM_GPUS_PER_SOCKET", "gpus-per-socket"),
)
_INTEGERS = (
    ("SLURM_NTASKS_PER_NODE", "ntasks-per-node"),
    ("SLURM_NTASKS_PER_GPU", "ntasks-per-gpu"),
    ("SLURM_NTASKS_PER_SOCKET", "ntasks-per-socket"),
    ("SLURM_NTASKS_PER_CORE", "ntasks-per-core"),
    ("SLURM_CPUS_PER_TASK", "cpus-per-task"),
    ("SLURM_CPUS_PER_GPU", "cpus-per-gpu"),
)
_RELEASE_DECIDES = (
    ("SLURM_GPUS_PER_TASK", ("gpus-per-task", "tres-per-task")),
    ("SLURM_TRES_PER_TASK", ("tres-per-task", "gpus-per-task", "cpus-per-task")),
    ("SLURM_THREADS_PER_CORE", ("threads-per-core", "extra-node-info", "hint")),
    ("SLURM_DISTRIBUTION", ("distribution",)),
    ("SLURM_HINT", ("hint",)),
)
_SITE_DECIDES = (
    "SLURM_JOB_ACCOUNT",
    "SLURM_JOB_QOS",
    "SLURM_JOB_RESERVATION",
    "SLURM_MEM_PER_NODE",
    "SLURM_MEM_PER_CPU",
    "SLURM_MEM_PER_GPU",
)


@dataclass(frozen=True, slots=True)
class JobVariable:
    """A variable of the batch shell."""

    value: str | None
    """Its value; None when it is unset or the value is not known."""
    set: bool | None
    """Whether it is set; None when that is not known."""
    certainty: Certainty = Certainty.KNOWN
    """How sure ``value`` and ``set`` are; UNKNOWN where ``value`` is not known of one that may be set."""
    span: Span | None = None
    """The option that decides it."""


UNSET = JobVariable(None, False)
"""A variable that sbatch does not set for the job."""
UNKNOWN = JobVariable(None, None, Certainty.UNKNOWN)
"""A variable of which nothing is known."""


def job_variables(request: JobRequest) -> Mapping[str, JobVariable]:
    """Return the ``SLURM_`` variables of the job's batch shell that Slurm decides.

    Those of :data:`PER_TASK` are among them with their value in the batch shell.
    """
    found = {name: JobVariable(None, True, Certainty.UNKNOWN) for name in ALWAYS_SET}
    found |= {name: UNSET for name in STEP_VARIABLES}
    found |= {
        name: JobVariable(value, True, Certainty.UNKNOWN if value is None else Certainty.KNOWN)
        for name, value in PER_TASK.items()
    }
    found |= _sizes(request)
    found |= _from_options(request)
    found |= _names(request)
    found |= _array(request)
    found |= _gpus(request)
    return MappingProxyType(found)


def _of_count(count: Count | None, known_set: bool | None = True) -> JobVariable:
    if known_set is False:
        return UNSET
    if known_set is None:
        return UNKNOWN
    if count is None:
        return JobVariable(None, True, Certainty.UNKNOWN)
    return JobVariable(str(count.value), True, count.certainty, count.spans[0] if count.spans else None)


def _sizes(request: JobRequest) -> dict[str, JobVariable]:
    nodes = _of_count(request.nodes)
    tasks = _of_count(request.ntasks, request.tasks_are_set)
    return {
        "SLURM_JOB_NUM_NODES": nodes,
        "SLURM_NNODES": nodes,
        "SLURM_NTASKS": tasks,
        "SLURM_NPROCS": tasks,
        "SLURM_TASKS_PER_NODE": _tasks_per_node(request),
    }


def _tasks_per_node(request: JobRequest) -> JobVariable:
    """Told only where a count per node and nothing else decides it."""
    each, nodes = request.ntasks_per_node, request.nodes
    if each is None or nodes is None or request.get("ntasks") is not None:
        return JobVariable(None, True, Certainty.UNKNOWN)
    text = even_layout(each, nodes)
    sure = max(each.certainty, nodes.certainty)
    return JobVariable(text, True, sure, each.spans[0] if each.spans else None)


def even_layout(each: Count, nodes: Count) -> str:
    """Write as many tasks on each node as Slurm does: ``8(x2)`` for eight on each of two, ``8`` for one."""
    return str(each.value) if nodes.value == 1 else f"{each.value}(x{nodes.value})"


def _from_options(request: JobRequest) -> dict[str, JobVariable]:
    found: dict[str, JobVariable] = {}
    for name, option in _AS_WRITTEN:
        found[name] = _of_option(request, option, lambda text: text)
    for name, option in _INTEGERS:
        found[name] = _of_option(request, option, _plain_integer)
    if request.hetjob:
        # Each component has its own (``SLURM_NTASKS_PER_NODE_HET_GROUP_1``); the plain one may be missing.
        found |= dict.fromkeys(found, UNKNOWN)
    for name, options in _RELEASE_DECIDES:
        given = request.unsure or any(request.get(option) is not None for option in options)
        found[name] = UNKNOWN if given else UNSET
    if request.get("tres-per-task") is not None:
        found["SLURM_CPUS_PER_TASK"] = UNKNOWN
    return found | {name: UNKNOWN for name in _SITE_DECIDES}


def _plain_integer(text: str) -> str | None:
    value = positive_integer(text)
    return None if value is None else str(value)


def _of_option(request: JobRequest, option: str, reader: Callable[[str], str | None]) -> JobVariable:
    use = request.get(option)
    if request.unsure:
        return UNKNOWN
    if use is None:
        return UNSET
    value = reader(use.value or "")
    return JobVariable(value, True, Certainty.UNKNOWN if value is None else Certainty.KNOWN, use.span)


def _names(request: JobRequest) -> dict[str, JobVariable]:
    return {
        "SLURM_JOB_NAME": _job_name(request),
        "SLURM_JOB_PARTITION": _partition(request, request.get("partition")),
        "SLURM_EXPORT_ENV": _export(request),
    }


def _job_name(request: JobRequest) -> JobVariable:
    use = request.get("job-name")
    if use is not None and use.value and not request.unsure:
        return JobVariable(use.value, True, Certainty.KNOWN, use.span)
    name = PurePosixPath(request.source.path).name
    if request.unsure or name in ("", "-"):
        return JobVariable(None, True, Certainty.UNKNOWN)
    return JobVariable(name, True, Certainty.ASSUMED)


def _partition(request: JobRequest, use: OptionUse | None) -> JobVariable:
    if use is None or not use.value or "," in use.value or request.unsure:
        return JobVariable(None, True, Certainty.UNKNOWN)
    return JobVariable(use.value, True, Certainty.KNOWN, use.span)


def _export(request: JobRequest) -> JobVariable:
    use = request.get("export")
    if use is None:
        return JobVariable(None, False, Certainty.ASSUMED)
    if (use.value or "").upper() == "ALL":
        return JobVariable(None, False, Certainty.ASSUMED, use.span)
    return JobVariable(use.value, True, Certainty.ASSUMED, use.span)


def _array(request: JobRequest) -> dict[str, JobVariable]:
    use = request.get("array")
    variable = UNKNOWN if request.unsure else UNSET
    if use is not None:
        variable = JobVariable(None, True, Certainty.UNKNOWN, use.span)
    return {f"SLURM_ARRAY_{name}": variable for name in _ARRAY}


def _gpus(request: JobRequest) -> dict[str, JobVariable]:
    """``SLURM_GPUS_ON_NODE`` counts those of the batch host."""
    names = ("SLURM_GPUS_ON_NODE", "SLURM_JOB_GPUS")
    if request.asks_for_gpus:
        # An exclusive job's batch shell counts all GPUs of its node.
        count = UNKNOWN if request.exclusive else _of_count(request.gpus_per_node)
        return dict(zip(names, (count, UNKNOWN), strict=True))
    # Some releases give an exclusive job its nodes' GPUs though it has not asked for them.
    alone = request.get("exclusive") is not None
    return dict.fromkeys(names, UNKNOWN if alone else JobVariable(None, False, Certainty.ASSUMED))
