"""Commands that leave a loop, a function or the shell, and what is left to do then (``trap``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.certainty import Certainty
from sbatchlint.digits import whole_number
from sbatchlint.launch.outcomes import OPEN, SUCCESS, Outcome
from sbatchlint.launch.plan import Arg
from sbatchlint.launch.state import Flow

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.source import Span

Builtin = Callable[["Machine", "list[Arg]", "Span"], Outcome]
"""A command of the shell's own: takes the shell, the words and where they stand."""


def _status(machine: Machine, args: Sequence[Arg]) -> Outcome:
    """The status that ``exit`` or ``return`` is given; without one it is that of the command before."""
    if len(args) < 2:
        return machine.state.last.unexcused()
    number = whole_number(args[1].text or "")
    if number is None:
        return OPEN
    code = number % 256
    return Outcome(code == 0, assumed=args[1].value.certainty is Certainty.ASSUMED, code=code or None)


def exit_(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``exit``."""
    machine.status = _status(machine, args)
    machine.state.flow = Flow.EXIT
    return machine.status


def return_(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``return``."""
    machine.status = _status(machine, args)
    machine.state.flow = Flow.RETURN if machine.returns else Flow.EXIT
    return machine.status


def leave_loop(flow: Flow) -> Builtin:
    """Give the builtin that leaves a loop (``break``) or its round (``continue``)."""

    def leave(machine: Machine, args: list[Arg], _: Span) -> Outcome:
        if machine.loops:
            number = whole_number(args[1].text or "") if len(args) > 1 else 1
            machine.state.flow = flow
            machine.state.levels = 1 if number is None else min(number, len(machine.loops))
        return SUCCESS

    return leave


def trap(machine: Machine, args: list[Arg], _: Span) -> Outcome:
    """``trap``."""
    signals = {arg.text for arg in args[2:]}
    if signals & {"EXIT", "0", "ERR"}:
        action = args[1]
        code = None if action.text in ("-", "") else machine.weakened(action.value)
        if signals & {"EXIT", "0"}:
            machine.state.at_exit = (code,)
        if "ERR" in signals:
            machine.state.at_error = (code,)
    return SUCCESS
