"""Launchers that start one process per GPU themselves, and how many each of them starts."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.certainty import Certainty
from sbatchlint.launch.counts import machines_option, processes_option, world_option
from sbatchlint.launch.plan import Layer, LayerKind, LayerOption, Program, Step
from sbatchlint.lint.ask.numbers import number_of
from sbatchlint.records import dataclass

PER_NODE_LAUNCHERS = frozenset(("torchrun", "torch.distributed.launch", "ft_launcher", "accelerate"))
"""Launchers of which one is meant to run on each node."""


@dataclass(frozen=True, slots=True)
class Processes:
    """How many processes one launcher starts on its node; ``number`` is None where that is not known."""

    number: int | None
    certainty: Certainty
    option: LayerOption | None
    """The option that decides it, if one is written."""
    all_gpus: bool = False
    """True where it starts one process for each GPU that it sees."""


def per_node_launchers(step: Step) -> Iterator[tuple[Program, Layer]]:
    """The programs of *step* that a per-node launcher starts, each with its outermost such launcher.

    What stands under a condition inside the step is left out: the condition may pick one task a node.
    """
    for program in step.programs:
        if program.conditional and not step.conditional:
            continue
        for layer in program.layers:
            if layer.kind is LayerKind.LAUNCHER and layer.name in PER_NODE_LAUNCHERS:
                yield program, layer
                break


def processes_of(layer: Layer) -> Processes:
    """Read how many processes a per-node launcher starts.

    Sources: torch/distributed/run.py (``determine_local_world_size``; the default is 1) and
    accelerate/utils/launch.py (``num_processes // num_machines`` on each machine).
    """
    if layer.name == "accelerate":
        return _of_accelerate(layer)
    option = processes_option(layer)
    if option is None:
        return Processes(1, Certainty.KNOWN if layer.complete else Certainty.UNKNOWN, None)
    text = option.value.text if option.value is not None and option.certain else None
    if text in ("gpu", "auto"):
        return Processes(None, Certainty.KNOWN, option, all_gpus=True)
    told = number_of(option)
    if told is None:
        return Processes(None, Certainty.UNKNOWN, option)
    grade = told.certainty if layer.complete else max(told.certainty, Certainty.ASSUMED)
    return Processes(told.value, grade, option)


def _of_accelerate(layer: Layer) -> Processes:
    total_option, nodes_option = world_option(layer), machines_option(layer)
    if total_option is None:
        return Processes(None, Certainty.UNKNOWN, None)
    total, nodes = number_of(total_option), number_of(nodes_option)
    if total is None or (nodes_option is not None and (nodes is None or not nodes.value)):
        return Processes(None, Certainty.UNKNOWN, total_option)
    if nodes is None:
        return Processes(total.value, total.certainty, total_option)
    return Processes(total.value // nodes.value, max(total.certainty, nodes.certainty), total_option)


def command_name(program: Program, layer: Layer) -> str:
    """Name the launcher as the script does: ``torchrun``, ``torch.distributed.run`` ..."""
    if layer.name == "accelerate":
        return "accelerate launch"
    if layer.name != "torchrun":
        return layer.name
    for word in program.words:
        text = word.value.text or ""
        if text.rsplit("/", 1)[-1] == "torchrun":
            return "torchrun"
        if text == "torch.distributed.run":
            return text
    return "torchrun"
