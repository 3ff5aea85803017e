"""How large a step is, and how many processes and ranks a program in it becomes."""

from __future__ import annotations

from collections.abc import Iterable

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.counts import machines_option, processes_option, world_option
from sbatchlint.launch.plan import Layer, Program, Step
from sbatchlint.lint.ask.launchers import PER_NODE_LAUNCHERS, processes_of
from sbatchlint.lint.ask.numbers import number_of
from sbatchlint.records import dataclass
from sbatchlint.report.plan_model import is_telling
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.option_use import Count
from sbatchlint.slurm.request import JobRequest
from sbatchlint.training.frameworks import recognise
from sbatchlint.training.worlds.world import World
from sbatchlint.training.worlds.world_size import world_size

_ONE = Count(1)
_BY_NODE = frozenset(("deepspeed", "colossalai", "composer"))
"""Launchers that count their processes by node."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a program; each count is None where it is not known."""

    geometry: Geometry
    launcher: Layer | None = None
    """The launcher that multiplies the tasks; None where each task is one process."""
    processes: Count | None = None
    """How many processes the launcher starts in each task."""
    world: World | None = None
    """The process group that the program forms, where that can be told."""

    @property
    def total(self) -> Count | None:
        """Number of processes in all: tasks, where no launcher multiplies them."""
        tasks = self.geometry.tasks
        if self.launcher is None or tasks is None:
            return tasks
        return (
            None
            if self.processes is None
            else tasks.with_value(tasks.value * self.processes.value, self.processes)
        )

    @property
    def gpus(self) -> Count | None:
        """Number of GPUs on all nodes."""
        nodes, each = self.geometry.nodes, self.geometry.gpus_per_node
        return None if nodes is None or each is None else nodes.with_value(nodes.value * each.value, each)


def request_of(request: JobRequest, step: Step | None) -> JobRequest:
    """Return the component of the job that *step* runs in, the first where that is not told."""
    number = None if step is None else step.component
    group = None if step is None else step.get("het-group")
    if group is not None:
        text = group.value.text if group.value is not None else None
        number = whole_number(text or "")
    components = request.components
    return components[number] if number is not None and number < len(components) else request


def size_of(request: JobRequest, step: Step | None, program: Program | None) -> Size:
    """Return the size of *program* in *step* (None: started by the batch shell on its own host)."""
    alone = Geometry(_ONE, _ONE, _ONE, request.gpus_per_node)
    geometry = alone if step is None else step.geometry
    if program is None:
        return Size(geometry)
    launchers = program.launchers
    world = world_size(step, program, recognise(program)) if is_telling(program) else None
    if not launchers:
        return Size(geometry, world=world)
    first = next((layer for layer in launchers if layer.name in PER_NODE_LAUNCHERS), launchers[0])
    return Size(geometry, first, _product(_processes(geometry, layer) for layer in launchers), world)


def _product(counts: Iterable[Count | None]) -> Count | None:
    product = _ONE
    for count in counts:
        if count is None:
            return None
        product = product.with_value(product.value * count.value, count)
    return product


def _processes(geometry: Geometry, launcher: Layer) -> Count | None:
    """Return how many processes one call of *launcher* starts, on whatever nodes."""
    if launcher.name not in PER_NODE_LAUNCHERS:
        return _of_all_nodes(launcher)
    told = processes_of(launcher)
    if told.all_gpus:
        gpus = geometry.gpus_per_node
        return gpus.with_value(gpus.value, certainty=Certainty.ASSUMED) if gpus and gpus.value else None
    return None if told.number is None else Count(told.number, told.certainty)


def _of_all_nodes(launcher: Layer) -> Count | None:
    """Count for a launcher that goes to the other nodes itself; without a word of them it has but one."""
    each, nodes = number_of(processes_option(launcher)), number_of(machines_option(launcher))
    if not launcher.complete:
        return None
    if launcher.name in _BY_NODE:
        if each is None or (nodes is None and machines_option(launcher) is not None):
            return None
        other = Certainty.ASSUMED if launcher.name == "deepspeed" else Certainty.KNOWN  # a hostfile tells
        many = Count(1, other) if nodes is None else Count(nodes.value, nodes.certainty)
        return many.with_value(many.value * each.value, Count(each.value, each.certainty))
    world = number_of(world_option(launcher))
    return None if world is None else Count(world.value, world.certainty)


def size_line(size: Size, *, asks_for_gpus: bool) -> str:
    """Say it in one line: ``4 nodes x 1 task per node x 8 processes = 32 ranks on 32 GPUs``."""
    return _factors(size) + _result(size) + _gpus(size, asks_for_gpus) + _worlds(size)


def _factors(size: Size) -> str:
    nodes, tasks, each = size.geometry.nodes, size.geometry.tasks, size.geometry.tasks_per_node
    if each is None and tasks is not None:
        text = f"{amount(tasks, 'task')} on {amount(nodes, 'node')}"
    else:
        text = f"{amount(nodes, 'node')} x {amount(each, 'task')} per node"
    return text if size.launcher is None else f"{text} x {amount(size.processes, 'process')}"


def _result(size: Size) -> str:
    """Say the product, if there is one: as ranks where all of them form one process group."""
    total, world = size.total, size.world
    if size.launcher is None and size.geometry.tasks_per_node is None and world is None:
        return ""
    if total is None:
        return " = ? processes" if size.launcher is not None else ""
    if world is not None and world.ranks == total.value:
        return f" = {amount(Count(total.value), 'rank')}"
    return f" = {amount(Count(total.value), 'task' if size.launcher is None else 'process')}"


def _worlds(size: Size) -> str:
    """Say which process groups there are, where it is not one of all processes."""
    total, world = size.total, size.world
    if world is None or (total is not None and total.value == world.ranks):
        return ""
    ranks = amount(Count(world.ranks), "rank")
    if total is None or total.value % world.ranks:
        return f"; the launcher is told of {ranks}"
    return f"; {total.value // world.ranks} groups of {ranks} each"


def _gpus(size: Size, asks_for_gpus: bool) -> str:
    if size.gpus is not None and (size.gpus.value or asks_for_gpus):
        return f" on {amount(Count(size.gpus.value), 'GPU')}"
    return " on ? GPUs" if asks_for_gpus else ""


def amount(count: Count | None, what: str) -> str:
    """Say *count* of *what*, with ``?`` for what is not known and a word for what is a default."""
    plural = what + ("es" if what.endswith("ss") else "s")
    if count is None:
        return f"? {plural}"
    text = f"{count.value} {what if count.value == 1 else plural}"
    return text if count.certainty is Certainty.KNOWN else f"{text} (assumed)"
