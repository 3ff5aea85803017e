"""Loops: unrolled where their list is known, else gone through once for what every round shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbatchlint.launch.branching import branch
from sbatchlint.launch.computing import compute_text
from sbatchlint.launch.conditions import LIKELY, Outcome
from sbatchlint.launch.expansion import expand_words
from sbatchlint.launch.redirections import redirected
from sbatchlint.launch.state import Flow, State, Variable, merge
from sbatchlint.launch.values import Value, unknown

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine
    from sbatchlint.launch.plan import Arg
    from sbatchlint.shell.syntax import ArithmeticFor, Body, For, While

_MOST_ROUNDS = 128


def run_for(machine: Machine, command: For) -> Outcome:
    """``for name in words``."""
    return redirected(machine, command.redirects, lambda: _for(machine, command))


def _for(machine: Machine, command: For) -> Outcome:
    args = _items(machine, command)
    if args is None or len(args) > _MOST_ROUNDS or any(arg.open for arg in args) or command.select:
        _unknown_rounds(machine, command.body, {command.name: unknown(f"${command.name}")})
        return LIKELY
    breaks: list[State] = []
    for arg in args:
        machine.assign(command.name, arg.value, arg.place)
        if arg.optional:
            _round(machine, command.body, breaks, certain=False)
        else:
            _round(machine, command.body, breaks)
        if machine.state.flow is not Flow.NORMAL or not machine.session.proceed():
            break
    _end(machine, breaks)
    return LIKELY


def _items(machine: Machine, command: For) -> list[Arg] | None:
    from sbatchlint.launch.plan import Arg

    if command.words is not None:
        return expand_words(machine, command.words)
    arguments = machine.state.arguments
    return None if arguments is None else [Arg(value) for value in arguments]


def run_arithmetic_for(machine: Machine, command: ArithmeticFor) -> Outcome:
    """``for ((init; condition; step))``."""
    return redirected(machine, command.redirects, lambda: _arithmetic_for(machine, command))


def _arithmetic_for(machine: Machine, command: ArithmeticFor) -> Outcome:
    header = machine.value(command.header).text
    parts = header.split(";") if header is not None else []
    if len(parts) != 3:
        _unknown_rounds(machine, command.body, {})
        return LIKELY
    compute_text(machine, parts[0])
    breaks: list[State] = []
    for _ in range(_MOST_ROUNDS):
        again = compute_text(machine, parts[1]) if parts[1].strip() else None
        if again is None:
            _unknown_rounds(machine, command.body, {})
            return LIKELY
        if again == 0:
            break
        _round(machine, command.body, breaks)
        if machine.state.flow is not Flow.NORMAL or not machine.session.proceed():
            break
        compute_text(machine, parts[2])
    else:
        _unknown_rounds(machine, command.body, {})
    _end(machine, breaks)
    return LIKELY


def run_while(machine: Machine, command: While) -> Outcome:
    """``while`` and ``until``."""
    return redirected(machine, command.redirects, lambda: _while(machine, command))


def _while(machine: Machine, command: While) -> Outcome:
    breaks: list[State] = []
    for _ in range(_MOST_ROUNDS):
        outcome = machine.run(command.condition)
        holds = outcome.holds if not command.until or outcome.holds is None else not outcome.holds
        if holds is False:
            break
        if holds is None or not machine.session.proceed():
            _unknown_rounds(machine, command.body, {})
            break
        _round(machine, command.body, breaks)
        if machine.state.flow is not Flow.NORMAL:
            break
    else:
        _unknown_rounds(machine, command.body, {})
    _end(machine, breaks)
    return LIKELY


def _round(machine: Machine, body: Body, breaks: list[State], *, certain: bool = True) -> None:
    """One round; memories that break off are kept in *breaks*, those that continue are joined."""
    machine.loops.append([])
    if certain:
        machine.run(body)
    else:
        branch(machine, [((), lambda: machine.run(body)), ((), lambda: None)])
    ends = [machine.state, *machine.loops.pop()]
    going = []
    for end in ends:
        if end.flow is Flow.CONTINUE:
            end.flow = Flow.NORMAL
        if end.flow is Flow.BREAK:
            breaks.append(end)
        else:
            going.append(end)
    joined = merge(going)
    if joined is not None:
        machine.state = joined
    elif going:
        machine.state = going[0]


def _end(machine: Machine, breaks: list[State]) -> None:
    """Join the memories that left by ``break`` with the one that came to the loop's end."""
    for state in breaks:
        state.flow = Flow.NORMAL
    ends = breaks if machine.state.flow is Flow.BREAK else [machine.state, *breaks]
    machine.state = merge(ends) or machine.state


def _unknown_rounds(machine: Machine, body: Body, given: dict[str, Value]) -> None:
    """Go through the body once for an unknown number of rounds.

    What a trial round changes is unknown when the round that counts begins, and after the loop.
    """
    changed = _changed(machine, body, given)
    before = machine.state.copy()
    for name in changed:
        old = machine.state.variables.get(name)
        exported = old is not None and old.exported
        machine.state.variables[name] = Variable(unknown(f"${name}"), exported=exported)
    for name, value in given.items():
        machine.assign(name, value, None)
    breaks: list[State] = []
    machine.conditional += 1
    _round(machine, body, breaks)
    machine.conditional -= 1
    for state in breaks:
        state.flow = Flow.NORMAL
    ends = [before, *breaks]
    if machine.state.flow is Flow.NORMAL:
        ends.append(machine.state)
    machine.state = merge(ends) or before


def _changed(machine: Machine, body: Body, given: dict[str, Value]) -> set[str]:
    """The names of the variables that one round changes."""
    if machine.session.muted > 2:
        return set(machine.state.variables)
    trial = machine.subshell()
    trial.sink = None
    machine.session.muted += 1
    for name, value in given.items():
        trial.assign(name, value, None)
    breaks: list[State] = []
    _round(trial, body, breaks)
    machine.session.muted -= 1
    after = [trial.state, *breaks]
    names = {name for state in after for name in state.variables}
    return {
        name
        for name in names
        if any(state.variables.get(name) is not machine.state.variables.get(name) for state in after)
        and name not in given
    }
