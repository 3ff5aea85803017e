"""The variables that a step's tasks see otherwise than the batch shell.

Checked with real steps of Slurm 22.05.8; where nobody has looked the answer is that it is not known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from sbatchlint.slurm.environment import PER_TASK, STEP_VARIABLES, UNKNOWN, JobVariable, even_layout
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.getopt import Use
from sbatchlint.slurm.option_use import Count
from sbatchlint.slurm.request import JobRequest
from sbatchlint.slurm.values import positive_integer

_SET = JobVariable(None, True)
_MAY_BE_MISSING = (
    "SLURM_CPU_BIND",
    "SLURM_CPU_BIND_LIST",
    "SLURM_CPU_BIND_TYPE",
    "SLURM_CPU_BIND_VERBOSE",
    "SLURM_DISTRIBUTION",
    "SLURM_STEP_GPUS",
    "SLURM_STEP_RESV_PORTS",
)
_ALWAYS_ANEW = (
    "SLURM_CPUS_ON_NODE",
    "SLURM_JOB_ID",
    "SLURM_JOB_PARTITION",
    "SLURM_JOB_USER",
    "SLURM_NODELIST",
)
_FOLLOWS = {
    "SLURM_CPUS_PER_GPU": ("cpus-per-gpu",),
    "SLURM_CPUS_PER_TASK": ("cpus-per-task", "tres-per-task"),
    "SLURM_GPUS": ("gpus",),
    "SLURM_GPUS_PER_NODE": ("gpus-per-node",),
    "SLURM_GPUS_PER_SOCKET": ("gpus-per-socket",),
    "SLURM_GPUS_PER_TASK": ("gpus-per-task", "tres-per-task"),
    "SLURM_HINT": ("hint",),
    "SLURM_JOB_NAME": ("job-name",),
    "SLURM_MEM_PER_CPU": ("mem", "mem-per-cpu", "mem-per-gpu"),
    "SLURM_MEM_PER_GPU": ("mem", "mem-per-cpu", "mem-per-gpu"),
    "SLURM_MEM_PER_NODE": ("mem", "mem-per-cpu", "mem-per-gpu"),
    "SLURM_NTASKS_PER_CORE": ("ntasks-per-core",),
    "SLURM_NTASKS_PER_GPU": ("ntasks-per-gpu",),
    "SLURM_NTASKS_PER_NODE": ("ntasks-per-node", "ntasks-per-gpu"),
    "SLURM_NTASKS_PER_SOCKET": ("ntasks-per-socket",),
    "SLURM_THREADS_PER_CORE": ("threads-per-core", "extra-node-info", "hint"),
    "SLURM_TRES_PER_TASK": ("tres-per-task", "gpus-per-task", "cpus-per-task"),
}
"""Variables that srun sets again where its line has one of these options."""
_GPU_OPTIONS = frozenset(
    "gpus gpus-per-node gpus-per-task gpus-per-socket gres tres-per-task ntasks-per-gpu".split()
)


def step_variables(
    request: JobRequest,
    of_job: Mapping[str, JobVariable],
    geometry: Geometry,
    uses: Sequence[Use],
    *,
    complete: bool = True,
    cpus_per_task: str | None = "",
) -> Mapping[str, JobVariable]:
    """Return what srun sets for the tasks of a step, whatever its own environment holds.

    *of_job* is what the batch shell has; *uses* are the options on its line; *complete* says that there are
    no others.  *cpus_per_task* is what the script has put into ``SRUN_CPUS_PER_TASK``: None where that is not
    known, the empty string for nothing.
    """
    own = {use.spec.long: use for use in uses}
    found = {name: _SET for name in (*STEP_VARIABLES, *PER_TASK, *_ALWAYS_ANEW)}
    found |= dict.fromkeys(_MAY_BE_MISSING, UNKNOWN)
    found |= _sizes(geometry)
    found |= _gpus(request, geometry, own)
    for name, options in _FOLLOWS.items():
        if not complete or any(option in own for option in options):
            unclear = _SET if of_job[name].set else UNKNOWN
            found[name] = _of_option(own, options[0], unclear) if complete else unclear
    if cpus_per_task != "" and "cpus-per-task" not in own:
        found["SLURM_CPUS_PER_TASK"] = JobVariable(cpus_per_task, True) if cpus_per_task else _SET
    if "het-group" in own:
        # Which component's each of them is differs between the variables, and by task.
        found |= dict.fromkeys(of_job.keys() - found.keys(), UNKNOWN)
    return MappingProxyType(found)


def _of_count(count: Count | None) -> JobVariable:
    return _SET if count is None else JobVariable(str(count.value), True, count.certainty)


def _sizes(geometry: Geometry) -> dict[str, JobVariable]:
    tasks, nodes, layout = _of_count(geometry.tasks), _of_count(geometry.nodes), _layout(geometry)
    return {
        "SLURM_NTASKS": tasks,
        "SLURM_NPROCS": tasks,
        "SLURM_STEP_NUM_TASKS": tasks,
        "SLURM_NNODES": nodes,
        "SLURM_STEP_NUM_NODES": nodes,
        "SLURM_TASKS_PER_NODE": layout,
        "SLURM_STEP_TASKS_PER_NODE": layout,
    }


def _layout(geometry: Geometry) -> JobVariable:
    each, nodes = geometry.tasks_per_node, geometry.nodes
    if each is None or nodes is None:
        return _SET
    return JobVariable(even_layout(each, nodes), True, max(each.certainty, nodes.certainty))


def _gpus(request: JobRequest, geometry: Geometry, own: Collection[str]) -> dict[str, JobVariable]:
    """A step counts its own GPUs; where nobody asks for any, what the batch shell has is left."""
    asked = request.asks_for_gpus or bool(_GPU_OPTIONS & set(own))
    if not asked and not request.exclusive:
        return {}
    count = geometry.gpus_per_node
    return {"SLURM_GPUS_ON_NODE": UNKNOWN if count is None or not asked else _of_count(count)}


def _of_option(own: Mapping[str, Use], option: str, unclear: JobVariable) -> JobVariable:
    """What is set from *option*, the first that a variable follows; *unclear* where nobody has looked."""
    value = own[option].value if option in own else None
    if value and option == "job-name":
        return JobVariable(value, True)
    if value and option in ("cpus-per-task", "ntasks-per-node"):
        number = positive_integer(value)
        return _SET if number is None else JobVariable(str(number), True)
    return unclear


__all__ = ["step_variables"]
