"""Adds the programs that are started to the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.outcomes import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, FileUse, FileUseKind, Program
from sbatchlint.launch.values import Value
from sbatchlint.launch.variable import is_exported

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.state import Environment
    from sbatchlint.launch.variable import Variable
    from sbatchlint.source import Span


def note(
    machine: Machine,
    words: Sequence[Arg],
    target: Value,
    target_arg: Arg,
    is_module: bool,
    arguments: Sequence[Arg],
    span: Span,
) -> None:
    """Add a program to the plan."""
    session = machine.session
    if session.muted:
        return
    environment, spans = _environment(machine)
    first = words[0] if words else None
    program = Program(
        words=tuple(words),
        target=target,
        target_span=target_arg.place,
        is_module=is_module,
        arguments=tuple(arguments),
        layers=machine.place.layers,
        environment=environment,
        environment_spans=spans,
        span=(first.place if first is not None else None) or span,
        conditional=machine.may_be_passed_over,
        assumed=machine.weak > 0,
        code_incomplete=any(arg.open for arg in words),
        folder=machine.state.folders[-1],
    )
    place = machine.place.programs
    (place if place is not None else session.host_programs).append(program)


def note_use(machine: Machine, kind: FileUseKind, path: Value, span: Span | None) -> None:
    """Add to the plan what the shell reads, or where it goes; an empty name is none."""
    session = machine.session
    if session.muted or not path.segments:
        return
    session.file_uses.append(
        FileUse(
            kind=kind,
            path=path,
            folder=machine.state.folders[-1],
            span=path.span or span,
            layers=machine.place.layers,
            conditional=machine.may_be_passed_over,
            assumed=machine.weak > 0,
            tested=machine.testing > 0,
            command=span,
        )
    )


def note_modes(machine: Machine, number: int) -> None:
    """Add to the use *number* of a file, if there is one, which options the shell has behind it."""
    uses = machine.session.file_uses
    if number < len(uses):
        uses[number] = replace(uses[number], modes=machine.state.options)


def _environment(machine: Machine) -> Environment:
    """What the script itself exports, and where each was written; mostly the same as for the last program."""
    variables = machine.state.variables
    before, found = machine.session.exported
    if not variables.same(before):
        held = variables.copy()  # first: what is made of it lies upon a base like itself
        found = held.made(_value), held.made(_place)
        machine.session.exported = held, found
    return found


def _value(_: str, held: Variable) -> Value | None:
    return held.value if is_exported(held) else None


def _place(_: str, held: Variable) -> Span | None:
    return held.written if is_exported(held) else None


def note_leaf(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """A command of the tables that starts nothing: ``uv sync``, ``ray start``, ``python`` alone."""
    machine.print_unknown()
    note(machine, args, args[0].value, args[0], False, args[1:], span)
    return LIKELY
