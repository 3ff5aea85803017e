"""How many ranks a launcher makes of a program: torchrun, accelerate, deepspeed.

Sources: torch/distributed/run.py; accelerate/commands/launch.py; deepspeed/launcher/runner.py of
deepspeedai/DeepSpeed@edaa7221.
"""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.counts import machines_option, processes_option, world_option
from sbatchlint.launch.plan import Layer, LayerOption, Program, Step
from sbatchlint.launch.values import Value
from sbatchlint.records import dataclass
from sbatchlint.training.worlds.world import Term, World, amount

_TORCHRUN = ("torchrun", "torch.distributed.launch", "ft_launcher")
_CHOOSING = ("include", "i", "exclude", "e", "elastic-training", "autotuning")
"""Options of deepspeed with which something else decides on what it starts."""


def world_of_launcher(step: Step | None, program: Program, launcher: Layer) -> World | None:
    """Return the world that *launcher* makes of *program* in *step*; None where that can't be told."""
    if launcher.name in _TORCHRUN:
        return _of_torchrun(step, program, launcher)
    if launcher.name == "accelerate":
        return _of_accelerate(step, launcher)
    if launcher.name == "deepspeed":
        return _of_deepspeed(step, launcher)
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
        text = f"{launcher.name} alone on its node: {amount(ranks, 'rank')}"
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
    message = f"{amount(gpus.value, 'GPU')} per node"
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


def _of_deepspeed(step: Step | None, launcher: Layer) -> World | None:
    """One call starts all processes by ssh; with ``--no_ssh`` there is one for each node.

    It refuses more than one node without a hostfile, and of a hostfile's nodes takes as many as it is told.
    """
    each, told = processes_option(launcher), machines_option(launcher)
    if each is None or not launcher.complete or any(launcher.get(name) for name in _CHOOSING):
        return None
    if told is None and launcher.get("hostfile", "H") is not None:
        return None
    processes, nodes = _given(each), _Given(1) if told is None else _given(told)
    if processes is None or nodes is None:
        return None
    tasks = step.geometry.tasks if step is not None else None
    started = 1 if step is None else tasks.value if tasks is not None else None
    if started != (nodes.number if launcher.get("no-ssh") is not None else 1):
        return None
    ranks = nodes.number * processes.number
    each_node = "1 process" if processes.number == 1 else f"{processes.number} processes"
    text = f"{amount(nodes.number, 'node')} x {each_node} per node = {amount(ranks, 'rank')}"
    return World(ranks, Certainty.ASSUMED, text, nodes.terms + processes.terms, processes.number)


def _given(option: LayerOption) -> _Given | None:
    number = integer(option.value) if option.value is not None and option.certain else None
    if number is None or option.value is None:
        return None
    place = option.arg.place
    message = f"--{option.name} is {number}"
    return _Given(number, option.value.certainty, () if place is None else (Term(place, message),))


def integer(value: Value) -> int | None:
    """Return the number above 0 that *value* is; None where it is none, or not known."""
    text = (value.text or "").strip()
    if text.startswith("1:"):
        text = text[2:] if text == "1:1" else ""  # MIN:MAX is elastic, but for 1:1
    return whole_number(text) or None
