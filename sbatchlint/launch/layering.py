"""Layers between a step and its program: made of a command's line, and gone into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.command_table import CommandTable
from sbatchlint.launch.options import Read
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, Layer

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span


def layer_of(table: CommandTable, args: Sequence[Arg], read: Read) -> Layer:
    """The layer that a command of *table* is."""
    return Layer(
        table.name, table.kind, args[0].place, read.options, read.complete, subcommand=read.subcommand
    )


def cut_at_colons(args: list[Arg], start: int) -> list[list[Arg]]:
    """Cut a line where another program of the same start begins (``srun A : B``), from word *start* on.

    Each part is led by the command's own word.
    """
    parts = [args[:start]]
    for arg in args[start:]:
        if arg.text == ":":
            parts.append([args[0]])
        else:
            parts[-1].append(arg)
    return parts


def inside(machine: Machine, layer: Layer, args: list[Arg], span: Span) -> Outcome:
    """Go on with what *layer* starts."""
    if not args:
        return LIKELY
    with machine.within(layer):
        return machine.launch(args, span)
