"""Going more than one way: each branch from the same memory, and the memories joined where they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sbatchlint.launch.conditions import Fact, Outcome
from sbatchlint.launch.state import Flow, State, Variable, merge

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

Way = tuple[tuple[Fact, ...], Callable[[], object]]
"""What a way may take for granted, and what happens on it."""


def branch(machine: Machine, ways: Sequence[Way]) -> None:
    """Go every way from here, each with the facts it may take for granted, and join the ends."""
    start = machine.state
    ends: list[State] = []
    machine.conditional += 1
    for facts, action in ways:
        machine.state = start.copy()
        for fact in facts:
            _learn(machine, fact)
        action()
        ends.append(machine.state)
    machine.conditional -= 1
    joined = merge(ends)
    for end in ends if joined is not None else ends[:-1]:
        _set_aside(machine, end)
    machine.state = joined if joined is not None else ends[-1]


def weakly(machine: Machine, assumed: bool, action: Callable[[], Outcome]) -> Outcome:
    """Do *action*; what it gives is assumed where *assumed* says that the way there is."""
    machine.weak += assumed
    try:
        return action()
    finally:
        machine.weak -= assumed


def fill_in(machine: Machine, start: State, blanks: Iterable[str]) -> None:
    """Go on from *start* as if the *blanks* had been filled in.

    ``IMAGE=""`` with ``if [ -z "$IMAGE" ]; then exit 1; fi`` below is a form to fill in: what matters
    is what the script starts once that is done.
    """
    machine.state = start
    for name in blanks:
        machine.note_filled(name)


def _set_aside(machine: Machine, state: State) -> None:
    """Keep a memory that leaves a loop or a function, to be joined where that ends."""
    if state.flow in (Flow.BREAK, Flow.CONTINUE) and machine.loops:
        machine.loops[-1].append(state)
    elif state.flow is Flow.RETURN and machine.returns:
        machine.returns[-1].append(state)


def _learn(machine: Machine, fact: Fact) -> None:
    before = machine.state.variables.get(fact.name)
    if fact.value is not None:
        exported = before.exported if before else True
        machine.state.variables[fact.name] = Variable(fact.value, exported=exported)
    elif before is None or before.maybe_unset:
        machine.note_present(fact.name)
