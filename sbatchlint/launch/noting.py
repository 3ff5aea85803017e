"""Adds the programs that are started to the plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.conditions import LIKELY, Outcome
from sbatchlint.launch.plan import Arg, Program
from sbatchlint.launch.values import Value

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
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
    exported = machine.state.exported()
    first = words[0] if words else None
    program = Program(
        words=tuple(words),
        target=target,
        target_span=target_arg.place,
        is_module=is_module,
        arguments=tuple(arguments),
        layers=machine.place.layers,
        environment={name: held.value for name, held in exported.items() if held.value is not None},
        environment_spans={name: v.written for name, v in exported.items() if v.written is not None},
        span=(first.place if first is not None else None) or span,
        conditional=machine.may_be_passed_over,
        assumed=machine.weak > 0,
        code_incomplete=any(arg.open for arg in words),
    )
    place = machine.place.programs
    (place if place is not None else session.host_programs).append(program)


def note_leaf(machine: Machine, args: list[Arg], span: Span) -> Outcome:
    """A command of the tables that starts nothing: ``uv sync``, ``ray start``, ``python`` alone."""
    machine.print_unknown()
    note(machine, args, args[0].value, args[0], False, args[1:], span)
    return LIKELY
