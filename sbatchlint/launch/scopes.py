"""Variables that belong to a function, or to one call of it, and what they hide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from sbatchlint.launch.variable import UNSET, Variable, merge_variable

if TYPE_CHECKING:
    from sbatchlint.launch.state import State

_LOCAL = object()
_OF_CALL = object()
"""For ``NAME=value function``: a local variable takes its value over, and ``unset`` shows what it hid."""
_TAKEN_OVER = object()
"""The same, once it is local."""
_EXPORTED = object()
"""The same two, once they are exported: the value may stay when the function ends, and its callers."""
_SURE = (_LOCAL, _OF_CALL, _TAKEN_OVER)
_OF_CALLS = (_OF_CALL, _TAKEN_OVER, _EXPORTED)
OfCall = Mapping[str, "Variable | None"]
"""What the variables were that are set for one command alone, by name."""
Hidden = Mapping[str, "tuple[Variable | None, object]"]
"""What each variable of a function hides.

It comes with one of the marks above; where some ways to here have no such variable, with the variable that
all had together where they met: as long as that stands, what is outside is known.
"""


def hide(state: State, name: str) -> None:
    """Let the innermost function have a variable *name* of its own, if it has none."""
    inner = state.hidden[-1]
    mark = inner[name][1] if name in inner else None
    if mark in (_LOCAL, _TAKEN_OVER):
        return
    if mark is _OF_CALL:
        _note(state, -1, name, (inner[name][0], _TAKEN_OVER))
        return
    held = state.variables.get(name)
    found: list[Variable | None] = [Variable(None, exported=held is not None and held.exported)]
    callers = [marks[name][1] for marks in reversed(state.hidden[:-1]) if name in marks]
    if callers[:1] == [_OF_CALL] or callers[:1] == [_TAKEN_OVER]:
        found = [held]  # it takes over what was set for the call of any caller
    if name in inner or any(one in _OF_CALLS for one in callers):
        found.append(held)  # and on the ways on which there is one already, that is kept as it is
    _note(state, -1, name, (outside(state, name), _EXPORTED if mark is _EXPORTED else _LOCAL))
    _put(state, name, merge_variable(name, found))


def enter(state: State, of_call: OfCall) -> None:
    """Begin the scope of a function; *of_call* is what the variables that its call sets were before."""
    state.hidden = (*state.hidden, {name: (before, _OF_CALL) for name, before in of_call.items()})


def put_back(state: State, of_call: OfCall) -> None:
    """Put back the variables that were set for one command alone, as it ends."""
    for name, before in of_call.items():
        _put(state, name, before)


def outside(state: State, name: str, level: int | None = None) -> Variable | None:
    """What *name* is outside of the running function at *level*, the innermost if None."""
    level = len(state.hidden) - 1 if level is None else level
    held = inside(state, name, level)
    if name not in state.hidden[level]:
        return held
    saved, mark = state.hidden[level][name]
    return saved if mark is held or mark in _SURE else merge_variable(name, [saved, held])


def inside(state: State, name: str, level: int) -> Variable | None:
    """What *name* is in the function at *level*, once those that it runs have ended."""
    return state.variables.get(name) if level + 1 == len(state.hidden) else outside(state, name, level + 1)


def leave(state: State) -> None:
    """Put back what the innermost function hid, as it ends."""
    for name, (saved, mark) in state.hidden[-1].items():
        _put(state, name, outside(state, name))
        if mark is _EXPORTED and len(state.hidden) > 1:
            outer = state.hidden[-2]
            _note(state, -2, name, (outer[name][0] if name in outer else saved, _EXPORTED))
    state.hidden = state.hidden[:-1]


def unset(state: State, name: str) -> None:
    """Do what ``unset`` does to *name*: in its own function it stays there without a value.

    From within another function, one of its callers' goes, and what that had hidden comes back (bash(1)).
    """
    found: list[Variable | None] = []
    gone: list[int] = []
    innermost = len(state.hidden) - 1
    for level in reversed(range(len(state.hidden))):
        if name not in state.hidden[level]:
            continue
        saved, mark = state.hidden[level][name]
        if level == innermost and mark is not _OF_CALL:
            found.append(UNSET)
        if level < innermost or mark in (_OF_CALL, _EXPORTED):
            found.append(saved)
            gone.append(level)
        if mark in _SURE:
            break
    else:
        found.append(UNSET)
    hidden = list(state.hidden)
    for level in gone:
        held = dict(hidden[level])
        saved, mark = held.pop(name)
        hidden[level] = held if len(found) == 1 else {**held, name: (saved, _unsure(mark))}
    state.hidden = tuple(hidden)
    _put(state, name, merge_variable(name, found))


def export(state: State, name: str) -> None:
    """Do what ``export`` does to *name* if it was set for the call of a function."""
    for level in reversed(range(len(state.hidden))):
        if name in state.hidden[level]:
            saved, mark = state.hidden[level][name]
            _note(state, level, name, (saved, _EXPORTED if mark in (_OF_CALL, _TAKEN_OVER) else mark))
            return


def globally(state: State, name: str, action: Callable[[], None]) -> None:
    """Do *action* with the variable *name* that is outside of all functions (``declare -g``)."""
    level = next((level for level, held in enumerate(state.hidden) if name in held), None)
    if level is None:
        action()
        return
    here = state.variables.get(name)
    saved, mark = state.hidden[level][name]
    _put(state, name, saved)
    action()
    given = state.variables.get(name)
    if mark not in _SURE:
        here, given = merge_variable(name, [here, given]), merge_variable(name, [saved, given])
    _put(state, name, here)
    _note(state, level, name, (given, mark if mark in _SURE else _unsure(mark)))


def _unsure(mark: object) -> object:
    """Return the mark of a variable that may be gone: never again is it known what is outside."""
    return mark if mark is _EXPORTED else object()


def _note(state: State, level: int, name: str, entry: tuple[Variable | None, object]) -> None:
    hidden = list(state.hidden)
    hidden[level] = {**hidden[level], name: entry}
    state.hidden = tuple(hidden)


def _put(state: State, name: str, held: Variable | None) -> None:
    if held is None:
        state.variables.pop(name, None)
    else:
        state.variables[name] = held


def merge_hidden(result: State, states: Sequence[State]) -> None:
    """Let *result*, whose variables have been joined, hide what one of *states* hides, nobody knows which."""
    first = states[0].hidden
    if all(state.hidden is first for state in states):
        return
    levels = [*zip(*(state.hidden for state in states), strict=True)]
    beyond = [
        {
            name: merge_variable(name, [outside(state, name, level) for state in states])
            for name in chain(*held)
        }
        for level, held in enumerate(levels)
    ]
    hidden: list[Hidden] = [{} for _ in levels]
    for level in reversed(range(len(levels))):
        result.hidden = tuple(hidden)
        hidden[level] = {
            name: (saved, _mark(name, levels[level]) or inside(result, name, level))
            for name, saved in beyond[level].items()
        }
    result.hidden = tuple(hidden)


def _mark(name: str, ways: Sequence[Hidden]) -> object:
    """Return the mark of *name* where all *ways* to one place have the same; else None."""
    marks = [hidden[name][1] if name in hidden else None for hidden in ways]
    if any(mark is not marks[0] for mark in marks):
        return _EXPORTED if any(mark in _OF_CALLS for mark in marks) else None
    return marks[0] if marks[0] is _EXPORTED or marks[0] in _SURE else None
