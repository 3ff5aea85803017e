"""Going more than one way: each branch from the same memory, and the memories joined where they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sbatchlint.launch.combining import join
from sbatchlint.launch.outcomes import Fact, Outcome
from sbatchlint.launch.scopes import merge_hidden
from sbatchlint.launch.state import Flow, State, merge
from sbatchlint.launch.values import OUTPUT, Value, concatenated, unknown
from sbatchlint.launch.variable import Variable

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

T = TypeVar("T")
Way = tuple[tuple[Fact, ...], Callable[[], object]]
"""What a way may take for granted, and what happens on it."""


def branch(machine: Machine, ways: Sequence[Way]) -> None:
    """Go every way from here, each with the facts it may take for granted, and join the ends."""
    start, sink, stdin = machine.state, machine.sink, machine.stdin
    ends: list[State] = []
    printed: list[Value] = []
    left: list[Value | None] = []
    machine.conditional += 1
    for facts, action in ways:
        machine.state, machine.stdin = start.copy(), stdin
        machine.sink = None if sink is None else []
        for fact in facts:
            _learn(machine, fact)
        action()
        ends.append(machine.state)
        printed.append(concatenated(machine.sink or ()))
        left.append(machine.stdin)
    machine.conditional -= 1
    machine.sink = sink
    if sink is not None:
        sink.append(join(printed, OUTPUT))
    machine.stdin = left[0] if all(other == left[0] for other in left) else unknown(OUTPUT)
    settle(machine, ends)


def after(machine: Machine, last: Outcome, run: Callable[[], Outcome]) -> Callable[[], Outcome]:
    """Do *run* where the command before is known to have ended as *last*."""

    def go() -> Outcome:
        machine.state.last = last
        return run()

    return go


def perhaps(machine: Machine, action: Callable[[], T]) -> T:
    """Do *action*, which may not happen: what it assigns may be, or not."""
    start = machine.state.copy()
    result = action()
    if machine.ended:
        machine.may_stop()
    machine.state = merge([start, machine.state]) or start
    return result


def settle(machine: Machine, ends: Sequence[State]) -> None:
    """Go on with the memories that come back, joined, and keep those that leave a loop or a function."""
    joined = merge(ends)
    if joined is not None and any(end.flow is Flow.EXIT for end in ends):
        machine.may_stop()
    if joined is None:
        # All leave.  What leaves for the nearest place goes on; what ends the process is left out.
        staying = [end for end in ends if end.flow is not Flow.EXIT] or list(ends)
        if len(staying) < len(ends):
            machine.may_stop()
        joined = staying.pop()
        ends = [end for end in ends if end is not joined]
    for end in ends:
        _set_aside(machine, end)
        if end.flow is Flow.EXIT and end is not joined and set(end.at_exit) - {*joined.at_exit, None}:
            machine.left.append(end)
    machine.state = joined


def weakly(machine: Machine, assumed: bool, action: Callable[[], T]) -> T:
    """Do *action*; what it gives is assumed where *assumed* says that the way there is."""
    if not assumed:
        return action()
    start = machine.state.copy()
    machine.weak += 1
    try:
        return action()
    finally:
        machine.weak -= 1
        weaken_since(machine.state, start)


def otherwise(machine: Machine, action: Callable[[Machine], object]) -> None:
    """Try out the way that an assumed decision does not take: what it changes is from now on assumed."""
    session = machine.session
    session.by_default = True
    if session.muted >= session.most_muted:
        return
    trial = machine.subshell()
    trial.sink = None
    trial.loops, trial.returns = [[] for _ in machine.loops], [[] for _ in machine.returns]
    trial.calls = machine.calls
    may_stop = session.may_stop
    session.muted += 1
    action(trial)
    session.muted -= 1
    session.may_stop = may_stop or trial.state.flow is Flow.EXIT
    _set_aside(trial, trial.state)
    for held, tried in ((machine.loops, trial.loops), (machine.returns, trial.returns)):
        if tried:
            held[-1] += [replace(state, unlikely=True) for state in tried[-1]]
    doubt(machine, trial.state)


def doubt(machine: Machine, after: State) -> None:
    """Take what differs in *after*, a memory that an assumed decision rules out, as assumed here."""
    variables = machine.state.variables
    for name in variables.differing(after.variables):
        held = variables.get(name)
        if held is not None:
            variables[name] = _assumed_variable(held)
    merge_hidden(machine.state, [machine.state, after])
    if machine.state.arguments is not None and after.arguments != machine.state.arguments:
        machine.state.arguments = tuple(value.assumed() for value in machine.state.arguments)


def weaken_since(state: State, start: State) -> None:
    """Take what *state* has otherwise than *start* as assumed; what is unset may be as it was."""
    for name in state.variables.differing(start.variables):
        held, before = state.variables.get(name), start.variables.get(name)
        if held is None:
            continue
        if held.items is not None and before is not None and before.items is not None:
            known = dict(before.items)
            items = tuple((key, v if known.get(key) == v else v.assumed()) for key, v in held.items)
            state.variables[name] = replace(held, items=items)
        elif held.first is not None:
            state.variables[name] = _assumed_variable(held)
        elif held.reference is None and (before is None or before.first is not None):
            state.variables[name] = Variable(
                unknown(f"${name}"),
                exported=before is not None and before.exported,
                maybe_unset=True,
                opaque=before is not None and before.items is not None,
            )
    merge_hidden(state, [state, start])
    if state.arguments is not None and state.arguments != start.arguments:
        state.arguments = tuple(value.assumed() for value in state.arguments)


def _assumed_variable(held: Variable) -> Variable:
    """The same variable with values that are at best assumed."""
    items = None if held.items is None else tuple((key, value.assumed()) for key, value in held.items)
    value = None if held.value is None else held.value.assumed()
    return replace(held, value=value, items=items, filled=False)


def fill_in(machine: Machine, start: State, blanks: Iterable[str]) -> None:
    """Go on from *start* as if the *blanks* had been filled in.

    ``IMAGE=""`` with ``if [ -z "$IMAGE" ]; then exit 1; fi`` below is a form to fill in: what matters
    is what the script starts once that is done.
    """
    machine.state = start
    machine.may_stop()
    for name in blanks:
        machine.note_filled(name)


def _set_aside(machine: Machine, state: State) -> None:
    """Keep a memory that leaves a loop or a function, to be joined where that ends."""
    if state.flow in (Flow.BREAK, Flow.CONTINUE) and machine.loops:
        machine.loops[-1].append(state)
        machine.skipped += 1
    elif state.flow is Flow.RETURN and machine.returns:
        machine.returns[-1].append(state)
        machine.returned += 1


def _learn(machine: Machine, fact: Fact) -> None:
    name = machine.real_name(fact.name)
    before = machine.state.variables.get(name)
    if before is not None and (before.items is not None or before.opaque):
        return
    if fact.value is not None:
        maybe_unset = fact.value.text == "" and (before is None or before.maybe_unset)
        exported = before.exported if before else not maybe_unset
        learned = Variable(fact.value, exported=exported, maybe_unset=maybe_unset)
        machine.state.variables[name] = learned
    elif fact.filled or before is None or before.maybe_unset:
        machine.note_present(name, filled=fact.filled)
