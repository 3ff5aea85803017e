"""Loops of which nobody knows how often they go round: gone through once, for what every round shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from sbatchlint.launch.outcomes import OPEN
from sbatchlint.launch.rounds import Rounds
from sbatchlint.launch.state import NOBODY_KNOWS, Flow, State, merge
from sbatchlint.launch.values import OUTPUT, Unknown, Value, unknown
from sbatchlint.launch.variable import Variable

if TYPE_CHECKING:
    from sbatchlint.launch.machine import Machine

_MOST_TRIALS = 4
Action = Callable[["Machine"], object]


def unknown_rounds(machine: Machine, action: Action) -> None:
    """Go through a loop once for any number of rounds.

    What a trial round changes is unknown when the round that counts begins, and after the loop.
    """
    machine.state.last = OPEN
    before = machine.state.copy()
    _forget_changed(machine, action)
    start = machine.state.copy()
    sink, stdin = machine.sink, machine.stdin
    machine.sink = None if sink is None else []
    machine.stdin = None if stdin is None else unknown(OUTPUT)
    loop = Rounds(machine)
    machine.conditional += 1
    loop.go(lambda: action(machine), assumed=False)
    machine.conditional -= 1
    if machine.sink:
        assert sink is not None
        sink.append(unknown(OUTPUT))
    machine.sink = sink
    if machine.ended:
        machine.session.may_stop = True
    if machine.going:
        machine.state = merge([before, machine.state]) or before
        loop.end()
        return
    round_end, machine.state = machine.state, merge([before, start]) or before
    loop.end()
    if round_end.flow is Flow.RETURN and machine.returns:
        machine.returns[-1].append(round_end)


def _forget_changed(machine: Machine, action: Action) -> None:
    """Forget what rounds change: try one out, forget what it changes, and try again until nothing is new."""
    session = machine.session
    for _ in range(_MOST_TRIALS):
        if session.muted >= session.most_muted:
            break
        trial = machine.subshell()
        trial.sink = None
        trial.returns, trial.loops = [[] for _ in machine.returns], [[] for _ in machine.loops]
        trial.calls = machine.calls
        may_stop = session.may_stop
        session.muted += 1
        loop = Rounds(trial)
        loop.go(lambda shell=trial: action(shell), assumed=False)  # type: ignore[misc]
        loop.end()
        session.muted -= 1
        session.may_stop = may_stop
        ends = [trial.state, *(state for held in (*trial.returns, *trial.loops) for state in held)]
        if not _forget(machine, ends):
            return
    else:
        _forget_all(machine)
        return
    if session.muted >= session.most_muted:
        _forget_all(machine)


def _forget(machine: Machine, ends: Iterable[State]) -> bool:
    """Forget every variable, argument and file that any of *ends* has otherwise; tell if there was one."""
    found = False
    for end in ends:
        for name in end.variables.differing(machine.state.variables):
            held, before = end.variables.get(name), machine.state.variables.get(name)
            if held is None:
                continue
            widened = _widened(name, before, held)
            if widened != before:
                machine.state.variables[name] = widened
                found = True
        if end.arguments != machine.state.arguments and machine.state.arguments is not None:
            machine.state.arguments, machine.state.given = None, True
            found = True
        if end.folders != machine.state.folders != (NOBODY_KNOWS,):
            machine.state.folders, machine.state.came_from = (NOBODY_KNOWS,), NOBODY_KNOWS
            found = True
        for path in end.files.differing(machine.state.files):
            text, forgotten = end.files.get(path), unknown(path)
            if text is not None and machine.state.files.get(path) not in (text, forgotten):
                machine.state.files[path] = forgotten
                found = True
    return found


def _widened(name: str, before: Variable | None, after: Variable) -> Variable:
    """What a variable may be after any number of rounds, given what it was and what one round made of it.

    What rounds add at the end of a text or of an array leaves what stands before it known.
    """
    if before is after or before == after:
        return after if before is None else before
    if before is None:
        opaque = after.opaque or after.items is not None
        return Variable(unknown(f"${name}"), opaque=opaque, maybe_unset=True, associative=after.associative)
    if before.opaque:
        return before
    maybe_unset = before.maybe_unset or after.maybe_unset or before.first is None or after.first is None
    forgotten = replace(
        before, value=unknown(f"${name}"), maybe_unset=maybe_unset, exported=False, filled=False
    )
    kept = replace(before, filled=False)  # whether it is empty is asked of its text alone
    same = replace(
        after, value=kept.value, items=kept.items, more=kept.more, written=kept.written, filled=False
    )
    if _only_grows(before, after) and same == kept:
        return before if before.more is not None else replace(before, more=unknown(f"${{{name}[@]}}"))
    if before.items is not None or after.items is not None or after.opaque:
        return replace(forgotten, items=None, more=None, opaque=True)
    if before.value is not None and after.value is not None and same == kept:
        return _grown(name, kept, after.value)
    return replace(forgotten, exported=before.exported and after.exported)


def _only_grows(before: Variable, after: Variable) -> bool:
    """Tell whether *after* is the array *before* with elements added at its end."""
    if before.items is None or after.items is None or before.associative:
        return False
    return after.items[: len(before.items)] == before.items


def _grown(name: str, before: Variable, after: Value) -> Variable:
    """A plain variable whose text rounds change: what they leave alone at its front stays known."""
    held = before.value or Value()
    tail = Unknown(f"${name}")
    kept = held.segments[:-1] if held.segments[-1:] == (tail,) else held.segments
    if kept and after.segments[: len(kept)] == kept:
        value = Value((*kept, tail))
        return before if value == held else replace(before, value=value)
    value = Value((tail,))
    return before if value == held else replace(before, value=value)


def _forget_all(machine: Machine) -> None:
    for name in list(machine.state.variables):
        machine.forget(name, opaque=True)
    machine.state.arguments, machine.state.given = None, True
    machine.state.folders = (NOBODY_KNOWS,)
    for path in machine.state.files:
        machine.state.files[path] = unknown(path)
