"""What may stand around a program and has no place in a job's tasks, or is not known well enough."""

from __future__ import annotations

from sbatchlint.convert.refusal import Refused
from sbatchlint.launch.plan import LayerKind, Program
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import Command, Literal, Simple, SingleQuoted, Word
from sbatchlint.source import Source

PER_NODE = ("torchrun", "torch.distributed.launch", "ft_launcher", "accelerate", "deepspeed")
"""Launchers that are started once on each node and start its processes."""
_OTHERS = {
    "ray": "Ray has a cluster of its own inside the job: one `ray start` on each node, in steps of their own",
}


def complain_of_layers(program: Program) -> None:
    """Raise Refused where something around *program* can't be carried over."""
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
