"""Commands that start a container: what runs in it, or what its image starts by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.command_start import Start
from sbatchlint.launch.command_table import CommandTable
from sbatchlint.launch.layering import inside
from sbatchlint.launch.noting import note, note_leaf
from sbatchlint.launch.options import arg_text
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, Layer, LayerOption
from sbatchlint.launch.tables import SHELLS, table_for
from sbatchlint.launch.values import unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span


def container(
    machine: Machine, table: CommandTable, layer: Layer, start: Start, args: list[Arg], span: Span
) -> Outcome:
    """Go on inside a container; what its image starts by itself is not known."""
    rest = args[start.command :]
    if start.image is not None:
        image = LayerOption("image", start.image.value, start.image, start.image)
        layer = replace(layer, options=(*layer.options, image))
    entry = next((o for o in start.read.options if f"--{o.name}" in table.entry_options), None)
    if entry is not None and entry.value is not None and entry.value.segments:
        rest = [replace(entry.value_arg or entry.arg, value=entry.value), *rest]
    elif start.subcommand in table.runscripts and not (rest and _names_command(rest[0])):
        return _runscript(machine, layer, start, args, span)
    elif not rest:
        return note_leaf(machine, args, span)
    return inside(machine, layer, rest, span)


def _names_command(arg: Arg) -> bool:
    """Tell whether an image's run script is likely to be given a command: most start what they are given."""
    name = arg_text(arg).rsplit("/", 1)[-1]
    return name in SHELLS or table_for(name) is not None


def _runscript(machine: Machine, layer: Layer, start: Start, args: list[Arg], span: Span) -> Outcome:
    """Note the program that an image starts by itself, with the words that it is given."""
    image = start.image
    if image is None:
        return note_leaf(machine, args, span)
    target = unknown(f"run script of {image.value.show()}", image.place)
    with machine.within(layer):
        note(machine, args, target, image, False, args[start.command :], span)
    machine.print_unknown()
    return LIKELY
