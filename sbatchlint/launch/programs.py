"""Launchers and interpreters: the program that each of them starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.command_table import CommandTable, bare
from sbatchlint.launch.defaults import by_environment
from sbatchlint.launch.layering import cut_at_colons, layer_of
from sbatchlint.launch.noting import note, note_leaf
from sbatchlint.launch.options import Read, read_options
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, Layer, LayerKind
from sbatchlint.launch.tables import MODULE_LAUNCHERS, TABLES
from sbatchlint.launch.values import text_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span


def python_script(machine: Machine, layer: Layer, kind: str, rest: list[Arg], span: Span) -> Outcome:
    """Note a Python program whose interpreter is not written (``uv run train.py``, ``uv run -m package``)."""
    started = TABLES.get(MODULE_LAUNCHERS.get(rest[0].text or "", "")) if kind == "module" else None
    with machine.within(layer):
        if started is not None:
            return _module_launcher(machine, started, rest, 1, span)
        with machine.within(Layer("python", LayerKind.INTERPRETER, rest[0].place)):
            note(machine, rest, rest[0].value, rest[0], kind == "module", rest[1:], span)
    machine.print_unknown()
    return LIKELY


def launcher(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    """Note what a launcher starts; of ``mpirun A : B`` each."""
    own, *more = cut_at_colons(args, read.rest) if table.contexts else [args]
    rest = own[read.rest :]
    if not rest:
        return note_leaf(machine, args, span)
    layer = layer_of(table, args, read)
    layer = replace(layer, options=(*layer.options, *by_environment(machine, table, layer)))
    names = {option.name for option in layer.options}
    outcome = LIKELY
    with machine.within(layer):
        module = bool(names & bare(table.module_flags))
        inner = TABLES.get(MODULE_LAUNCHERS.get(rest[0].text or "", "")) if module else None
        if inner is not None:
            outcome = _module_launcher(machine, inner, rest, 1, span)
        elif table.python and not names & bare(table.program_flags):
            note(machine, own, rest[0].value, rest[0], module, rest[1:], span)
        else:
            outcome = machine.launch(rest, span)
    for line in more:
        launcher(machine, table, line, read_options(line, 1, table), span)
    machine.print_unknown()
    return outcome


def interpreter(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    """Note the script, module or code that an interpreter is given."""
    last = read.options[-1] if read.options else None
    rest = args[read.rest :]
    if last is not None and last.name in bare(table.module_options) and last.value is not None:
        module = last.value.text
        started = TABLES.get(MODULE_LAUNCHERS.get(module or "", ""))
        if started is not None:
            return _module_launcher(machine, started, args, read.rest, span)
        target, arg, is_module = last.value, last.value_arg or last.arg, True
    elif last is not None and last.name in bare(table.code_options):
        target, arg, is_module = text_value("-c"), last.arg, False
    elif rest:
        target, arg, is_module, rest = rest[0].value, rest[0], False, rest[1:]
    else:
        return note_leaf(machine, args, span)
    with machine.within(layer_of(table, args, read)):
        note(machine, args, target, arg, is_module, rest, span)
    machine.print_unknown()
    return LIKELY


def _module_launcher(
    machine: Machine, table: CommandTable, args: list[Arg], start: int, span: Span
) -> Outcome:
    if table.subcommands and start < len(args) and args[start].value.text in table.subcommands:
        start += 1
    return launcher(machine, table, args, read_options(args, start, table), span)
