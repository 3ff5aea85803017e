"""Follows a command line inwards: wrappers, shells, containers, launchers, down to the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch import outputs
from sbatchlint.launch.conditions import LIKELY, OPEN, Outcome
from sbatchlint.launch.noting import note, note_leaf
from sbatchlint.launch.options import Read, arg_text, read_options, tail
from sbatchlint.launch.plan import Arg, Layer, LayerKind, LayerOption
from sbatchlint.launch.shells import run_code, run_shell, written_script
from sbatchlint.launch.state import UNSET, Flow
from sbatchlint.launch.tables import MODULE_LAUNCHERS, SHELLS, TABLES, CommandTable, table_for
from sbatchlint.launch.values import OUTPUT, Unknown, Value, text_value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

_UNDECIDED = frozenset(("grep", "diff", "cmp", "pgrep", "squeue", "scontrol", "which", "ping", "nc"))


def launch(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """Start a command line that is neither a function nor a builtin."""
    args = _without_leading_optional(args)
    if not args:
        return LIKELY
    text = args[0].value.text
    name = text.rsplit("/", 1)[-1] if text is not None else None
    if name == "srun":
        from sbatchlint.launch.steps import start_step

        return start_step(machine, args, span)
    if name in SHELLS:
        return run_shell(machine, name or "", args, span)
    if name == "command" and len(args) > 1 and args[1].text in ("-v", "-V"):
        machine.print_unknown()
        return OPEN
    written = written_script(machine, args[0].value)
    if written is not None:
        layer = Layer("bash", LayerKind.SHELL, args[0].place, (), True)
        return run_code(machine, written, layer, args, span)
    table = table_for(name) if name is not None else None
    if table is not None:
        return _by_table(machine, table, args, span)
    printed = outputs.printed_by(machine, name or "", args)
    machine.print(printed if printed is not None else Value((Unknown(OUTPUT),)))
    note(machine, args, args[0].value, args[0], False, args[1:], span)
    return OPEN if name in _UNDECIDED else LIKELY


def _without_leading_optional(args: list[Arg]) -> list[Arg]:
    """Pass over words at the front that may be missing: what is sure to come is what is started."""
    index = 0
    while index + 1 < len(args) and args[index].optional and args[index].value.text is None:
        index += 1
    return args[index:]


# --- by table --------------------------------------------------------------------------------------


def _by_table(machine: Machine, table: CommandTable, args: list[Arg], span: Span) -> Outcome:
    start = 1
    global_options: tuple[LayerOption, ...] = ()
    if table.subcommands:
        before = read_options(args, 1, table)
        start = before.rest
        global_options = before.options
        if start >= len(args) or args[start].value.text not in table.subcommands:
            return note_leaf(machine, args, span)
        start += 1
    read = read_options(args, start, table)
    read = replace(read, options=global_options + read.options)
    if table.kind is LayerKind.INTERPRETER:
        return _interpreter(machine, table, args, read, span)
    if table.kind is LayerKind.LAUNCHER:
        return _launcher(machine, table, args, read, span)
    layer = _layer(table, args, read)
    rest = read.rest
    if table.assignments:
        child, rest = _with_assignments(machine, args, read)
        return _inside(child, layer, args[rest:], span)
    if table.image_operand and rest < len(args):
        image = LayerOption("image", args[rest].value, args[rest], args[rest])
        layer = replace(layer, options=(*layer.options, image))
        rest += 1
    if _takes_operand(table, read):
        rest += table.operands
    if rest >= len(args):
        return note_leaf(machine, args, span) if table.name != "exec" else LIKELY
    outcome = _inside(machine, layer, args[rest:], span)
    if table.name == "exec":
        machine.status = outcome
        machine.state.flow = Flow.EXIT
    return outcome


def _takes_operand(table: CommandTable, read: Read) -> bool:
    """``taskset -c LIST CMD`` has its operand as an option's value."""
    return not (table.name == "taskset" and any(o.name in ("c", "cpu-list") for o in read.options))


def _layer(table: CommandTable, args: Sequence[Arg], read: Read, name: str = "") -> Layer:
    return Layer(name or table.name, table.kind, args[0].place, read.options, read.complete)


def _inside(machine: Machine, layer: Layer, args: list[Arg], span: Span) -> Outcome:
    """Go on with what *layer* starts."""
    if not args:
        return LIKELY
    outer = machine.place
    machine.place = outer.within(layer)
    outcome = launch(machine, args, span)
    machine.place = outer
    return outcome


def _with_assignments(machine: Machine, args: Sequence[Arg], read: Read) -> tuple[Machine, int]:
    """Apply the options and the ``NAME=value`` operands of ``env`` in a copy of the shell."""
    child = machine.subshell()
    for option in read.options:
        if option.name in ("i", "ignore-environment"):
            gone = dict.fromkeys((*machine.session.variables, *child.state.variables), UNSET)
            child.state.variables.update(gone)
        elif option.name in ("u", "unset") and option.value is not None:
            child.state.variables[option.value.text or ""] = UNSET
    index = read.rest
    while index < len(args):
        text = arg_text(args[index])
        name, equals, _ = text.partition("=")
        if not equals or not name.isidentifier():
            break
        child.assign(name, tail(args[index].value, len(name) + 1), args[index].place, export=True)
        index += 1
    return child, index


# --- launchers and interpreters ----------------------------------------------------------------------


def _launcher(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    layer = _layer(table, args, read)
    rest = args[read.rest :]
    names = {option.name for option in read.options}
    if not rest:
        return note_leaf(machine, args, span)
    outer = machine.place
    machine.place = outer.within(layer)
    python = table.underscores and not names & {flag.lstrip("-") for flag in table.program_flags}
    if python:
        is_module = bool(names & {flag.lstrip("-") for flag in table.module_flags})
        note(machine, args, rest[0].value, rest[0], is_module, rest[1:], span)
        outcome = LIKELY
    else:
        outcome = launch(machine, rest, span)
    machine.place = outer
    machine.print_unknown()
    return outcome


def _interpreter(machine: Machine, table: CommandTable, args: list[Arg], read: Read, span: Span) -> Outcome:
    last = read.options[-1] if read.options else None
    rest = args[read.rest :]
    bare = {option.lstrip("-") for option in table.module_options}
    if last is not None and last.name in bare and last.value is not None:
        module = last.value.text
        launcher = TABLES.get(MODULE_LAUNCHERS.get(module or "", ""))
        if launcher is not None:
            return _module_launcher(machine, launcher, args, read, span)
        target = last.value_arg or last.arg
        _note_inside(machine, table, args, read, (last.value, target, True), rest, span)
    elif last is not None and last.name in {option.lstrip("-") for option in table.code_options}:
        _note_inside(machine, table, args, read, (text_value("-c"), last.arg, False), rest, span)
    elif rest:
        _note_inside(machine, table, args, read, (rest[0].value, rest[0], False), rest[1:], span)
    else:
        return note_leaf(machine, args, span)
    machine.print_unknown()
    return LIKELY


def _module_launcher(
    machine: Machine, launcher: CommandTable, args: list[Arg], read: Read, span: Span
) -> Outcome:
    start = read.rest
    if launcher.subcommands and start < len(args) and args[start].value.text in launcher.subcommands:
        start += 1
    inner = read_options(args, start, launcher)
    return _launcher(machine, launcher, args, inner, span)


def _note_inside(
    machine: Machine,
    table: CommandTable,
    args: Sequence[Arg],
    read: Read,
    target: tuple[Value, Arg, bool],
    rest: Sequence[Arg],
    span: Span,
) -> None:
    outer = machine.place
    machine.place = outer.within(_layer(table, args, read))
    value, arg, is_module = target
    note(machine, args, value, arg, is_module, rest, span)
    machine.place = outer
