"""What may stand around a program and has no place in a job's tasks, or is not known well enough."""

from __future__ import annotations

from sbatchlint.convert.refusal import Refused
from sbatchlint.launch.plan import LayerKind, Program
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import Command, Literal, Simple, SingleQuoted, Word
from sbatchlint.source import Source

PER_NODE = ("torchrun", "torch.distributed.launch", "ft_launcher", "accelerate", "deepspeed")
"""Launchers that are started once on each node and start its processes."""
_TERMINALS = ("tmux", "screen", "byobu")
_OTHERS = {
    "composer": "it has options of its own for many nodes (--world_size, --node_rank, --master_addr)",
    "ray": "Ray has a cluster of its own inside the job: one `ray start` on each node, in steps of their own",
}

_START_OTHERS = {
    "llamafactory-cli": "it starts torchrun itself; give what it starts: "
    "torchrun --nproc_per_node=8 -m llamafactory.launcher CONFIG",
    "tune": "`tune run` starts torchrun itself; give what it starts: "
    "torchrun --nproc_per_node=8 RECIPE.py --config CONFIG",
    "axolotl": "it starts accelerate itself; give what it starts: "
    "accelerate launch -m axolotl.cli.train CONFIG",
    "litgpt": "Lightning counts its ranks: --mode native, with --num_nodes and --devices among its words",
}
"""Commands that start the ranks of their node in a way of their own (LLaMA-Factory's launcher.py, torchtune's
_cli/run.py, axolotl's README, litgpt's finetune/full.py)."""


def what_it_starts(program: Program) -> str:
    """Say what to give in place of *program*; nothing where it is what is meant."""
    return _START_OTHERS.get(program.name or "", "")


def complain_of_layers(program: Program) -> None:
    """Raise Refused where something around *program* can't be carried over."""
    if program.name in _TERMINALS:
        raise Refused(
            program.name, "a job needs no terminal that goes on without you; give the command inside"
        )
    for layer in program.layers:
        if layer.name == "sudo":
            raise Refused("sudo", "a job runs as whoever submits it; leave it out")
        if layer.kind is LayerKind.CONTAINER:
            why = "it starts a container of its own; give the command inside, and the image with --image"
            raise Refused(layer.name, why)
        if layer.kind is LayerKind.LAUNCHER and layer.name not in PER_NODE:
            why = _OTHERS.get(layer.name, "srun starts such programs itself, without it")
            raise Refused(layer.name, f"it is not converted: {why}")
        if not layer.complete:
            raise Refused(layer.name, "words that are not known may be options of it; write them out")
    if len(program.launchers) > 1:
        raise Refused(program.launchers[1].name, "one launcher starts another; leave one of them out")


def complain_of_strings(program: Program, command: Command, source: Source) -> None:
    """Raise Refused where a shell between *command* and *program* does more than to start it.

    ``bash -c 'torchrun t.py'`` does no more; ``bash train.sh`` is a file of its own.
    """
    shells = [layer for layer in program.layers if layer.kind is LayerKind.SHELL]
    if not shells:
        return
    if shells[-1] is program.layers[-1]:
        name = program.target.show()
        raise Refused(name, f"it is a script of its own: --from-file {name} converts what it runs")
    codes = [word for word in command.words if _is_code(word, source)] if isinstance(command, Simple) else []
    if len(shells) > 1 or len(codes) != 1:
        raise Refused(shells[0].name, "it runs more than the program; give the command itself")


def _is_code(word: Word, source: Source) -> bool:
    """Tell whether *word* is one simple command in quotes."""
    text = "".join(
        part.text if isinstance(part, (Literal, SingleQuoted)) else source.slice(part.span).strip('"')
        for part in word.parts
    )
    if not any(char.isspace() for char in text):
        return False
    body = read_text(text).body
    return len(body) == 1 and isinstance(body[0].command, Simple) and len(body[0].command.words) > 1
