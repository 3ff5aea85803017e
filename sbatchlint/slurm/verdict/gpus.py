"""The sums over GPUs and other generic resources that sbatch and the controller do before they accept a job.

The rules are those of ``gres_job_state_validate`` and ``_test_gres_cnt`` in ``src/common/gres.c`` (later
``src/interfaces/gres.c``), releases 20.11 to 26.05.  They need nothing of the cluster but that it knows the
resources by these names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.grammar.gres_items import INVALID_GRES, INVALID_GRES_TYPE, GresRequest
from sbatchlint.slurm.grammar.memory import Memory
from sbatchlint.slurm.grammar.tres import TresRequest
from sbatchlint.slurm.options import Release
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.slurm.verdict.gpu_sums import Amounts, sums
from sbatchlint.slurm.verdict.grounds import about
from sbatchlint.slurm.verdict.settings import Settings
from sbatchlint.slurm.verdict.sizes import Sizes

_OPTIONS = ("gpus", "gpus-per-node", "gres", "gpus-per-socket", "gpus-per-task", "tres-per-task")
_IMPLYING = ("ntasks-per-gpu", "ntasks-per-tres")
"""Without any of the others they make GPUs of the number of tasks."""
_CLIENT_CHECKS: Release = (21, 8)
"""First series in which sbatch itself does the sums and says what is wrong."""
_CPUS_NEED_GPUS: Release = (23, 2)
_CPUS_DROPPED: Release = (23, 11)
_NO_LONGER_COLON: Release = (23, 11)


@dataclass
class _Asked:
    """What all options together ask for, by name and type."""

    amounts: dict[tuple[str, str | None], Amounts] = field(default_factory=dict)

    def take(self, request: GresRequest | None, where: str) -> None:
        """Note what one option asks for *where*: per job, node, socket or task."""
        for item in () if request is None else request.effective():
            found = self.amounts.setdefault((item.name, item.type), Amounts(item.name))
            setattr(found, where, item.count)

    @property
    def gpus(self) -> bool:
        """Whether any option asks for GPUs."""
        return any(name == "gpu" for name, _ in self.amounts)


def gpu_complaints(settings: Settings, sizes: Sizes) -> Iterator[Complaint]:
    """Say which counts of GPUs do not fit together, or to the numbers of nodes and tasks."""
    for complaint in _checked(settings, sizes):
        if complaint.refused and not settings.since(_CLIENT_CHECKS):
            # The controller notices, and tells its log alone why.
            said = f"Batch job submission failed: {complaint.said.splitlines()[-1]}"
            yield replace(complaint, said=said, stage=Stage.CONTROLLER)
        else:
            yield complaint


def _checked(settings: Settings, sizes: Sizes) -> Iterator[Complaint]:
    asked = _asked(settings)
    implied = _count_tasks(settings, sizes, asked)
    if implied is not None:
        yield implied
    yield from _unrequested(settings, asked)
    given = tuple(name for name in (*_OPTIONS, *_IMPLYING) if settings.given(name))
    for amounts in asked.amounts.values():
        failure = sums(amounts, sizes, settings.integer("cpus-per-gpu") if amounts.name == "gpu" else None)
        if failure is not None:
            names = tuple(name for name in failure.options if settings.given(name)) or given
            said = f"{failure.said}\n{INVALID_GRES}"
            kind = ComplaintKind.GPUS_NOT_REQUESTED if failure.lacks else ComplaintKind.GPU_ARITHMETIC
            yield about(settings, names, kind, said, detail=failure.detail)
            return
    yield from _mixed(settings, asked, given)


def _asked(settings: Settings) -> _Asked:
    asked = _Asked()
    asked.take(settings.value("gpus", GresRequest), "per_job")
    asked.take(settings.value("gpus-per-node", GresRequest), "per_node")
    asked.take(settings.value("gres", GresRequest), "per_node")
    asked.take(settings.value("gpus-per-socket", GresRequest), "per_socket")
    asked.take(settings.value("gpus-per-task", GresRequest), "per_task")
    tres = settings.value("tres-per-task", TresRequest)
    asked.take(None if tres is None else tres.gres, "per_task")
    return asked


def _count_tasks(settings: Settings, sizes: Sizes, asked: _Asked) -> Complaint | None:
    """Set the number of tasks that ``--ntasks-per-gpu`` and its like imply; the controller does so too."""
    by_task = settings.given("gpus-per-task") or settings.given("tres-per-task")
    fixed = sizes.nodes_set and sizes.min_nodes == sizes.max_nodes
    if (by_task or sizes.tasks_per_gpu) and not sizes.tasks_set and fixed:
        if sizes.tasks_per_gpu:
            sizes.tasks, sizes.tasks_set = sizes.min_nodes * sizes.tasks_per_gpu, True
        elif sizes.tasks_per_node:
            sizes.tasks, sizes.tasks_set = sizes.min_nodes * sizes.tasks_per_node, True
        elif sizes.cpus_per_task is None:
            sizes.tasks, sizes.tasks_set = sizes.min_nodes, True
    if not sizes.tasks_per_gpu:
        return None
    names = (*_IMPLYING, "ntasks")
    if asked.gpus:
        return _tasks_of_gpus(settings, sizes, asked, names)
    if sizes.tasks_set and sizes.tasks:
        gpus = sizes.tasks // sizes.tasks_per_gpu
        if gpus:
            asked.amounts["gpu", None] = Amounts("gpu", per_job=gpus)
        return None
    said = (
        "gres_job_state_validate: --ntasks-per-tres needs either a GRES GPU specification or a node/ntask "
        f"specification\n{INVALID_GRES}"
    )
    return about(settings, names, ComplaintKind.GPUS_NOT_REQUESTED, said)


def _tasks_of_gpus(
    settings: Settings, sizes: Sizes, asked: _Asked, names: tuple[str, ...]
) -> Complaint | None:
    before = settings.integer("ntasks")
    total = sum(_total(amounts, sizes) for (name, _), amounts in asked.amounts.items() if name == "gpu")
    sizes.tasks, sizes.tasks_set = total * (sizes.tasks_per_gpu or 1), True
    if before is None or before == sizes.tasks:
        return None
    detail = f"--ntasks-per-gpu makes {sizes.tasks} tasks of it"
    names = ("ntasks", *names[:2])
    return about(settings, names, ComplaintKind.TASKS_BY_GPUS, effect=Effect.DIFFERENT, detail=detail)


def _total(amounts: Amounts, sizes: Sizes) -> int:
    """Return how many the controller counts for the whole job before the nodes are known."""
    nodes = sizes.min_nodes if sizes.nodes_set else 1
    sockets = sizes.sockets or 1
    found = (
        amounts.per_job,
        amounts.per_node * nodes,
        amounts.per_socket * nodes * sockets,
        amounts.per_task * (sizes.tasks if sizes.tasks_set else 1),
    )
    return max(found)


def _unrequested(settings: Settings, asked: _Asked) -> Iterator[Complaint]:
    if asked.gpus:
        return
    memory = settings.value("mem-per-gpu", Memory)
    if memory is not None and memory.mebibytes and _keeps_memory(settings):
        what = f"mem_per_tres={_gpu(settings)}:{memory.mebibytes}"
        said = f"Requested {what} but did not request any GPU.\n{INVALID_GRES}"
        yield about(settings, ("mem-per-gpu",), ComplaintKind.GPUS_NOT_REQUESTED, said)
    cpus = settings.integer("cpus-per-gpu")
    if cpus is not None and _keeps_cpus(settings):
        what = f"cpus_per_tres={_gpu(settings)}:{cpus}"
        said = f"Requested {what} but did not request any GPU.\n{INVALID_GRES}"
        yield about(settings, ("cpus-per-gpu",), ComplaintKind.GPUS_NOT_REQUESTED, said)


def _gpu(settings: Settings) -> str:
    return "gres/gpu" if settings.since(_NO_LONGER_COLON) else "gres:gpu"


def _keeps_memory(settings: Settings) -> bool:
    return settings.since(_CLIENT_CHECKS) and not _dropped(settings, "mem-per-gpu", ("mem", "mem-per-cpu"))


def _keeps_cpus(settings: Settings) -> bool:
    dropped = _dropped(settings, "cpus-per-gpu", ("cpus-per-task",))
    return settings.since(_CPUS_NEED_GPUS) and not (dropped and settings.since(_CPUS_DROPPED))


def _dropped(settings: Settings, name: str, stronger: tuple[str, ...]) -> bool:
    """Tell whether a variable's setting gives way to what the script or the command line says."""
    return settings.by_environment(name) and any(map(settings.by_user, stronger))


def _mixed(settings: Settings, asked: _Asked, given: tuple[str, ...]) -> Iterator[Complaint]:
    """``--gpus=8 --gres=gpu:h100:8``: once with a type and once without."""
    for name in dict.fromkeys(name for name, _ in asked.amounts):
        types = {kind for one, kind in asked.amounts if one == name}
        if None in types and len(types) > 1 and len(given) > 1:
            detail = f"{name} is asked for once with a type and once without"
            kind = ComplaintKind.MIXED_GPU_TYPES
            yield about(settings, given, kind, INVALID_GRES_TYPE, detail=detail)
