"""How many ranks a program becomes: the world size, and the sum that gives it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sbatchlint.certainty import Certainty
from sbatchlint.launch.counts import machines_option, processes_option, world_option
from sbatchlint.launch.plan import Layer, LayerKind, LayerOption, Program, Step
from sbatchlint.launch.values import Value
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.source import Span
from sbatchlint.training.entrypoints import LaunchClass
from sbatchlint.training.frameworks import Framework, FrameworkName

_TORCHRUN = ("torchrun", "torch.distributed.launch", "ft_launcher")
_DOCKER = ("docker", "podman", "podman-hpc")


@dataclass(frozen=True, slots=True)
class Term:
    """A factor of the world size, and where it is written."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class World:
    """The ranks that form one process group."""

    ranks: int
    certainty: Certainty
    sum: str
    """How it comes about: ``2 nodes x 8 tasks per node = 16 ranks``."""
    terms: tuple[Term, ...] = ()
    """Where its factors are written."""
    per_node: int | None = None
    """Ranks on each node, where it is the same on all."""
    alone: bool = False
    """True where each launcher forms a world of its own on its node."""


def world_size(step: Step | None, program: Program, framework: Framework) -> World | None:
    """Return the world that *program* forms in *step* (None: started on the batch host).

    None where it cannot be told, and for programs that form no process group.
    """
    world = _world(step, program, framework)
    if world is None:
        return None
    doubtful = program.doubtful or (step is not None and step.assumed)
    doubtful = doubtful or framework.name is FrameworkName.UNKNOWN
    return replace(world, certainty=max(world.certainty, Certainty.ASSUMED)) if doubtful else world


def _world(step: Step | None, program: Program, framework: Framework) -> World | None:
    if framework.launch in (LaunchClass.SINGLE_PROCESS, LaunchClass.LOGIN_NODE):
        return None
    if program.conditional and step is not None and not step.conditional:
        return None  # not every task may come here
    launchers = program.launchers
    if len(launchers) > 1:
        return None
    if launchers:
        return _of_launcher(step, program, launchers[0])
    if "WORLD_SIZE" in program.environment:
        return _of_variable(step, program)
    if any(layer.kind is LayerKind.CONTAINER and layer.name in _DOCKER for layer in program.layers):
        return None  # the tasks' variables stay outside
    return _of_tasks(step.geometry, framework, step) if step is not None else _alone(framework)


# --- without a launcher ----------------------------------------------------------------------------


def _of_tasks(geometry: Geometry, framework: Framework, step: Step) -> World | None:
    each = geometry.tasks_per_node
    if framework.name is FrameworkName.UNKNOWN:
        return None
    if not framework.by_script and (each is None or each.value == 1):
        return None  # a program that is not known by name may start its own ranks
    return _all_tasks(geometry, step)


def _all_tasks(geometry: Geometry, step: Step) -> World | None:
    """Return the world in which each task is a rank."""
    nodes, tasks, each = geometry.nodes, geometry.tasks, geometry.tasks_per_node
    if tasks is None:
        return None
    terms = _task_terms(geometry, step)
    if nodes is None or each is None:
        return World(tasks.value, tasks.certainty, _count(tasks.value, "task"), terms)
    factors = f"{_count(nodes.value, 'node')} x {_count(each.value, 'task')} per node"
    text = f"{factors} = {_count(tasks.value, 'rank')}"
    return World(tasks.value, tasks.certainty, text, terms, each.value)


def _task_terms(geometry: Geometry, step: Step) -> tuple[Term, ...]:
    """Where the numbers of nodes and tasks are written: srun's own options before the directives."""
    terms: dict[Span, str] = {}
    nodes, tasks, each = geometry.nodes, geometry.tasks, geometry.tasks_per_node
    for name in ("nodes", "ntasks", "ntasks-per-node"):
        option = step.get(name)
        if option is not None and option.arg.place is not None:
            terms[option.arg.place] = _option_text(name, option)
    for span in nodes.spans if nodes is not None else ():
        if step.get("nodes") is None and nodes is not None:
            terms.setdefault(span, _count(nodes.value, "node"))
    for span in each.spans if each is not None else ():
        if each is not None:
            terms.setdefault(span, f"{_count(each.value, 'task')} per node")
    for span in tasks.spans if tasks is not None else ():
        if tasks is not None:
            terms.setdefault(span, _count(tasks.value, "task"))
    return tuple(Term(span, message) for span, message in terms.items())


def _option_text(name: str, option: LayerOption) -> str:
    shown = option.value.show() if option.value is not None else ""
    return {
        "nodes": f"{shown} nodes",
        "ntasks": f"{shown} tasks",
        "ntasks-per-node": f"{shown} tasks per node",
    }[name]


def _of_variable(step: Step | None, program: Program) -> World | None:
    value = program.environment["WORLD_SIZE"]
    number = _integer(value)
    if number is None:
        return None
    tasks = _all_tasks(step.geometry, step) if step is not None else None
    if tasks is not None and tasks.ranks == number:
        return replace(tasks, certainty=max(tasks.certainty, value.certainty))  # WORLD_SIZE=$SLURM_NTASKS
    span = program.environment_spans.get("WORLD_SIZE")
    terms = () if span is None else (Term(span, f"WORLD_SIZE is {number} here"),)
    return World(number, value.certainty, f"WORLD_SIZE {number}", terms)


def _alone(framework: Framework) -> World | None:
    """On the batch host: Megatron-LM takes itself for the only rank, Bridge reads the job's task count."""
    if framework.name is not FrameworkName.MEGATRON_LM or not framework.by_script:
        return None
    return World(1, Certainty.KNOWN, "started once, without srun or a launcher: 1 rank", (), 1)


# --- launchers -------------------------------------------------------------------------------------


def _of_launcher(step: Step | None, program: Program, launcher: Layer) -> World | None:
    if launcher.name in _TORCHRUN:
        return _of_torchrun(step, program, launcher)
    if launcher.name == "accelerate":
        return _of_accelerate(step, launcher)
    return None


def _of_torchrun(step: Step | None, program: Program, launcher: Layer) -> World | None:
    nodes = _nodes_of_torchrun(launcher)
    each = _processes(step, program, launcher)
    if nodes is None or each is None or not _agents_fit(step, nodes.number):
        return None
    certainty = max(nodes.certainty, each.certainty)
    if not launcher.complete:
        certainty = max(certainty, Certainty.ASSUMED)
    ranks = nodes.number * each.number
    if nodes.number == 1:
        text = f"{launcher.name} alone on its node: {_count(ranks, 'rank')}"
    else:
        text = f"{nodes.number} nodes x {each.number} processes per node = {ranks} ranks"
    return World(ranks, certainty, text, nodes.terms + each.terms, each.number, nodes.number == 1)


@dataclass(frozen=True, slots=True)
class _Given:
    number: int
    certainty: Certainty = Certainty.KNOWN
    terms: tuple[Term, ...] = ()


def _nodes_of_torchrun(launcher: Layer) -> _Given | None:
    option = machines_option(launcher)
    if launcher.get("standalone") is not None:
        return _Given(1)
    if option is None:
        return _Given(1) if launcher.complete else None
    return _given(option)


def _processes(step: Step | None, program: Program, launcher: Layer) -> _Given | None:
    option = processes_option(launcher)
    if option is None:
        return _Given(1) if launcher.complete else None
    if option.value is None or option.value.text not in ("gpu", "auto"):
        return _given(option)
    gpus = step.geometry.gpus_per_node if step is not None else None
    if gpus is None or not gpus.value or not option.certain or "CUDA_VISIBLE_DEVICES" in program.environment:
        return None
    message = f"{_count(gpus.value, 'GPU')} per node"
    return _Given(gpus.value, Certainty.ASSUMED, tuple(Term(span, message) for span in gpus.spans))


def _agents_fit(step: Step | None, nodes: int) -> bool:
    """Tell whether as many launchers are started as wait for each other; else another rule has its say."""
    if step is None:
        return nodes == 1
    tasks, each = step.geometry.tasks, step.geometry.tasks_per_node
    if each is not None and each.value != 1:
        return False
    return nodes == 1 or tasks is None or tasks.value == nodes


def _of_accelerate(step: Step | None, launcher: Layer) -> World | None:
    option = world_option(launcher)
    given = _given(option) if option is not None else None
    nodes = machines_option(launcher)
    machines = _Given(1) if nodes is None else _given(nodes)
    if given is None or machines is None or not launcher.complete:
        return None
    if launcher.get("config-file") is not None and nodes is None:
        return None
    if given.number % machines.number or not _agents_fit(step, machines.number):
        return None
    certainty = max(given.certainty, machines.certainty)
    each = given.number // machines.number
    return World(given.number, certainty, f"accelerate starts {given.number} processes", given.terms, each)


def _given(option: LayerOption) -> _Given | None:
    number = _integer(option.value) if option.value is not None and option.certain else None
    if number is None or option.value is None:
        return None
    place = option.arg.place
    message = f"--{option.name} is {number}"
    return _Given(number, option.value.certainty, () if place is None else (Term(place, message),))


def _integer(value: Value) -> int | None:
    text = (value.text or "").strip()
    if text.startswith("1:"):
        text = text[2:] if text == "1:1" else ""  # MIN:MAX is elastic, but for 1:1
    return int(text) if text.isdecimal() and text.isascii() and int(text) else None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
