"""Calls of the script's own functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.branching import branch, doubt
from sbatchlint.launch.fields import settled
from sbatchlint.launch.outcomes import LIKELY, OPEN, Outcome
from sbatchlint.launch.scopes import OfCall, enter, leave, put_back
from sbatchlint.launch.state import Flow, State, merge

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.plan import Arg
    from sbatchlint.launch.state import Definition
    from sbatchlint.source import Span

_FUNCTION_DEPTH = 16
_HURRIED_DEPTH = 3
"""How often a function may be running at once when there is no time to follow it for long."""


def call(machine: Machine, name: str, args: list[Arg], span: Span) -> Outcome:
    """Call a function of the script, or each of those that the name may stand for.

    The variables that are set for this call alone are put back.
    """
    definitions = machine.state.functions[name]
    of_call, machine.of_call = machine.of_call, {}
    if len(definitions) == 1 and definitions[0] is not None:
        return _call(machine, definitions[0], args, of_call)

    def launched() -> None:
        machine.launch(args, span)
        put_back(machine.state, of_call)

    def one(definition: Definition | None) -> Callable[[], object]:
        return launched if definition is None else lambda: _call(machine, definition, args, of_call)

    branch(machine, [((), one(definition)) for definition in definitions])
    return OPEN


def _call(machine: Machine, definition: Definition, args: Sequence[Arg], of_call: OfCall) -> Outcome:
    session = machine.session
    session.proceed(2)
    function, code = definition
    running = session.active.count(id(function))
    if max(len(machine.returns), running) >= _FUNCTION_DEPTH or (
        session.hurried and running >= _HURRIED_DEPTH
    ):
        session.cut("functions call each other too deeply", code.locate(function.span), again=running > 0)
        put_back(machine.state, of_call)
        return OPEN
    session.active.append(id(function))
    saved_arguments, saved_given, saved_code = machine.state.arguments, machine.state.given, machine.code
    machine.state.arguments, machine.state.given = settled(args[1:], args[0]), True
    machine.code = code
    machine.returns.append([])
    enter(machine.state, of_call)
    machine.calls += 1
    machine.kept_options.append(None)
    saved_loops, machine.loops = machine.loops, []
    saved_returned = machine.returned
    outcome = machine.command(function.body)
    session.active.pop()
    machine.loops, machine.returned = saved_loops, saved_returned
    machine.calls -= 1
    returned = machine.returns.pop()
    for end in (machine.state, *returned):
        leave(end)
    outcome = restore(machine, outcome, returned)
    kept = machine.kept_options.pop()
    if kept is not None:
        machine.state.options = kept
    machine.state.arguments, machine.state.given, machine.code = saved_arguments, saved_given, saved_code
    return outcome.unexcused()


def restore(machine: Machine, outcome: Outcome, returned: list[State]) -> Outcome:
    """Join the ways out of a function, or of a file that is sourced."""
    returning = machine.state.flow is Flow.RETURN
    unlikely = [state for state in returned if state.unlikely]
    returned = [state for state in returned if not state.unlikely]
    ends = [machine.state, *returned]
    for end in ends:
        if end.flow is Flow.RETURN:
            end.flow = Flow.NORMAL
    if returned and machine.ended:
        machine.may_stop()
    machine.state = merge(ends) or machine.state
    for state in unlikely:
        doubt(machine, state)
    if returned:
        return OPEN if outcome.holds is False else LIKELY
    return machine.status if returning else outcome
