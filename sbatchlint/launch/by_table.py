"""Follows a command line by its command's table: wrappers, ``env``, ``exec``; others by their kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.code import Code
from sbatchlint.launch.command_start import Start, command_start
from sbatchlint.launch.command_table import CommandTable, bare
from sbatchlint.launch.container_commands import container
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.fields import DEFAULT_SEPARATORS, Fields
from sbatchlint.launch.layering import inside, layer_of
from sbatchlint.launch.noting import note_leaf
from sbatchlint.launch.options import Read, arg_text, tail
from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, LayerKind, LayerOption
from sbatchlint.launch.programs import interpreter, launcher, python_script
from sbatchlint.launch.repeating import repeat
from sbatchlint.launch.shells import run_code
from sbatchlint.launch.state import Flow
from sbatchlint.launch.values import Value, text_value
from sbatchlint.launch.variable import UNSET
from sbatchlint.shell.syntax import Simple

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span


def by_table(machine: Machine, table: CommandTable, args: list[Arg], span: Span) -> Outcome:
    """Follow what the command line *args* starts, as its *table* has it."""
    start = command_start(table, args)
    if start is None:
        return note_leaf(machine, args, span)
    read = start.read
    for option in read.options:
        if option.value is not None and option.name in bare(table.shell_code):
            return run_code(machine, option.value, layer_of(table, args, read), [args[0]], span)
        if table.assignments and option.name in ("S", "split-string") and option.value is not None:
            return by_table(machine, table, _with_split(machine, args, start, option), span)
    if table.kind is LayerKind.INTERPRETER:
        return interpreter(machine, table, args, read, span)
    if table.kind is LayerKind.LAUNCHER:
        return launcher(machine, table, args, read, span)
    rest = args[start.command :]
    layer = layer_of(table, args, read)
    if start.operands:
        layer = replace(layer, operands=tuple(args[start.command - start.operands : start.command]))
    if table.assignments:
        child = _with_assignments(machine, read, args[read.rest : start.command])
        return inside(child, layer, rest, span)
    if table.kind is LayerKind.CONTAINER:
        return container(machine, table, layer, start, args, span)
    if not rest:
        return note_leaf(machine, args, span) if table.name != "exec" else LIKELY
    if table.repeats:
        machine.print_unknown()
        return repeat(
            machine, table, layer, read, rest, lambda line: inside(machine, layer, line, span), span
        )
    if table.scripts and (python := _kind_of_script(table, read, rest)):
        return python_script(machine, layer, python, rest, span)
    outcome = inside(machine, layer, rest, span)
    if table.name == "exec":
        machine.status = outcome
        machine.state.at_exit = (None,)
        machine.state.flow = Flow.EXIT
    return outcome


def _with_split(machine: Machine, args: list[Arg], start: Start, option: LayerOption) -> list[Arg]:
    """Return the line of ``env -S "A=1 python 'x y'" z`` as ``env`` reads it, much like a shell."""
    value = option.value or Value()
    code = Code(text_value(": ") + value, in_task=False)
    command = code.script.body[0].command if len(code.script.body) == 1 else None
    if isinstance(command, Simple) and not command.redirects:
        outer, machine.code = machine.code, code
        words = expand_words(machine, command.words[1:])
        machine.code = outer
    else:
        fields = Fields(option.arg.span, DEFAULT_SEPARATORS, globs=False)
        fields.split(value)
        words = fields.finish()
    return [args[0], *words, *args[start.read.rest :]]


def _kind_of_script(table: CommandTable, read: Read, rest: Sequence[Arg]) -> str:
    """Tell what the first operand of ``uv run`` is to Python: a ``script``, a ``module``, or nothing."""
    names = {option.name for option in read.options}
    if names & bare(table.module_flags):
        return "module"
    text = arg_text(rest[0])
    return "script" if names & bare(table.script_flags) or text.endswith(".py") or text == "-" else ""


def _with_assignments(machine: Machine, read: Read, assignments: Sequence[Arg]) -> Machine:
    """Apply the options and the ``NAME=value`` operands of ``env`` in a copy of the shell."""
    child = machine.subshell()
    for option in read.options:
        if option.name in ("i", "ignore-environment"):
            gone = dict.fromkeys((*machine.session.variables, *child.state.variables), UNSET)
            child.state.variables.update(gone)
        elif option.name in ("u", "unset") and option.value is not None:
            child.state.variables[option.value.text or ""] = UNSET
    for word in assignments:
        name, _, _ = arg_text(word).partition("=")
        child.assign(name, tail(word.value, len(name) + 1), word.place, export=True)
    return child
