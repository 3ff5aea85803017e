"""What a shell knows at one point of a script: variables, functions, arguments, options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from sbatchlint.launch.values import EMPTY, Value, join, unknown
from sbatchlint.source import Span

if TYPE_CHECKING:
    from sbatchlint.launch.code import Code
    from sbatchlint.shell.syntax import Function


class Flow(Enum):
    """Where the shell goes after a command."""

    NORMAL = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()
    EXIT = auto()


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable.  ``value`` is None where it is known not to be set."""

    value: Value | None = EMPTY
    items: tuple[tuple[str, Value], ...] | None = None
    """An array's elements in order, by key; None for a plain variable."""
    exported: bool = False
    associative: bool = False
    written: Span | None = None
    """Where it was last given its value."""
    maybe_unset: bool = False
    """True where one way through the script leaves it as the environment has it."""


@dataclass(slots=True)
class State:
    """A shell's memory.  Copies share the immutable values."""

    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, tuple[Function, Code]] = field(default_factory=dict)
    arguments: tuple[Value, ...] | None = None
    """``$1 $2 ...``; None where they are not known."""
    options: frozenset[str] = frozenset()
    """Set options by long name: ``errexit``, ``nounset``, ``pipefail``, ``allexport``, ``xtrace``."""
    files: dict[str, Value] = field(default_factory=dict)
    """Texts that the script has written, by path as written."""
    flow: Flow = Flow.NORMAL

    def copy(self) -> State:
        """Return an independent copy."""
        return State(
            dict(self.variables),
            dict(self.functions),
            self.arguments,
            self.options,
            dict(self.files),
            self.flow,
        )

    def set(self, name: str, value: Value | None, *, span: Span | None = None, export: bool = False) -> None:
        """Give a plain variable its value; it stays exported if it was."""
        before = self.variables.get(name)
        exported = export or "allexport" in self.options or (before is not None and before.exported)
        self.variables[name] = Variable(value, exported=exported, written=span)

    def exported(self) -> dict[str, Variable]:
        """The variables that a child process gets."""
        return {
            name: found for name, found in self.variables.items() if found.exported and found.items is None
        }


def merge(states: Iterable[State]) -> State | None:
    """Join the states in which different branches end; those that never come back are left out.

    Gives None if none comes back.
    """
    alive = [state for state in states if state.flow is Flow.NORMAL]
    if not alive:
        return None
    if len(alive) == 1:
        return alive[0]
    first = alive[0]
    result = first.copy()
    names = dict.fromkeys(name for state in alive for name in state.variables)
    for name in names:
        found = [state.variables.get(name) for state in alive]
        if any(other is not found[0] for other in found[1:]):
            result.variables[name] = _merge_variable(name, found)
    for state in alive[1:]:
        result.functions.update({k: v for k, v in state.functions.items() if k not in result.functions})
        result.files.update(state.files)
        result.options &= state.options
        if state.arguments != first.arguments:
            result.arguments = None
    return result


def _merge_variable(name: str, found: list[Variable | None]) -> Variable:
    present = [variable for variable in found if variable is not None]
    first = present[-1]
    absent = len(present) < len(found)
    if all(variable == first for variable in present) and not absent:
        return first
    exported = any(variable.exported for variable in present)
    maybe_unset = absent or any(v.maybe_unset or v.value is None for v in present)
    if any(variable.items is not None for variable in present):
        items = _merge_items(name, found)
        return Variable(items=items, exported=exported, associative=first.associative, written=first.written)
    values = [EMPTY if v is not None and v.value is None else _value_of(name, v) for v in found]
    return Variable(join(values, f"${name}"), None, exported, False, first.written, maybe_unset)


def _value_of(name: str, variable: Variable | None) -> Value:
    if variable is None or variable.value is None:
        return unknown(f"${name}")
    return variable.value


def _merge_items(name: str, found: list[Variable | None]) -> tuple[tuple[str, Value], ...]:
    """Join arrays: what all begin with is kept, the rest becomes one element of several alternatives.

    An element that only some of them have is represented by a choice with nothing in it.
    """
    lists = [variable.items or () if variable is not None else () for variable in found]
    longest = max(lists, key=len)
    merged: list[tuple[str, Value]] = []
    for index, (key, _) in enumerate(longest):
        values = [items[index][1] if index < len(items) else EMPTY for items in lists]
        merged.append((key, join(values, f"${{{name}[{key}]}}")))
    return tuple(merged)


def exported_copy(state: State) -> State:
    """The memory of a new shell process started from *state*: exported variables and nothing else."""
    child = State(variables=dict(state.exported()), files=dict(state.files))
    return child


__all__ = ["Flow", "State", "Variable", "exported_copy", "merge", "replace"]
