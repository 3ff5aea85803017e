"""What a shell knows at one point of a script: variables, functions, arguments, options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum, auto
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from sbatchlint.launch.combining import first_lacking, join
from sbatchlint.launch.layered import Layered
from sbatchlint.launch.outcomes import OPEN, SUCCESS, Outcome
from sbatchlint.launch.values import ABSENT, EMPTY, Value, unknown
from sbatchlint.records import dataclass
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
    GIVEN_UP = auto()
    """To the line behind the one being read: bash gives up a command whose expansion fails."""


class _LookedThrough:
    """Room for what is found once by looking through an array."""

    __slots__ = ("_lacking",)
    _lacking: int


@dataclass(frozen=True, slots=True)
class Variable(_LookedThrough):
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
    opaque: bool = False
    """True where nothing is known of it, not even whether it is an array."""
    more: Value | None = None
    """What stands for an unknown number of elements behind those of ``items``."""
    letters: str = ""
    """Of ``declare``'s attributes those that change what is assigned: ``i``, ``l``, ``u``."""
    reference: str | None = None
    """The variable that this one stands for (``declare -n``); its own name until it is given one."""
    fixed: bool = False
    """True for one that is ``readonly``."""
    filled: bool = False
    """True where a guard (``: ${X:?}``) has made sure that it is not empty, whatever it is."""

    @property
    def first(self) -> Value | None:
        """What ``$name`` gives: an array's element 0; None where it is not set."""
        return self.value if self.items is None else dict(self.items).get("0", self.more)

    @property
    def lacking(self) -> int:
        """The index in ``items`` of the first element that may be missing; their number where none may."""
        try:
            return self._lacking
        except AttributeError:
            index = first_lacking([value for _, value in self.items or ()])
            object.__setattr__(self, "_lacking", index)
            return index


@dataclass(frozen=True, slots=True)
class Alias:
    """One alias of the script."""

    text: Value
    below: int
    """Where the line ends that defines it: it is an alias for what is read behind that."""


T = TypeVar("T")
UNSET = Variable(None)
NOBODY_KNOWS = "?"
"""A folder that is not known."""
Definition = tuple["Function", "Code"]
_LOCAL = object()
Hidden = Mapping[str, "tuple[Variable | None, object]"]
"""What each local variable of a function hides.

It comes with ``_LOCAL``; where some ways to here have no such local variable, with the variable that all had
together where they met: as long as that stands, what is outside is known.
"""
Environment = tuple[Layered[Value], Layered[Span]]
"""What a program gets of the script's variables: their values, and where each was written."""


@dataclass(slots=True)
class State:
    """A shell's memory.  Copies share the immutable values."""

    variables: Layered[Variable] = field(default_factory=Layered)
    functions: Layered[tuple[Definition | None, ...]] = field(default_factory=Layered)
    """Each function's definition; several where ways through the script define it differently or not."""
    exported_functions: frozenset[str] = frozenset()
    aliases: Mapping[str, Alias] = field(default_factory=dict)
    """Those that are expanded for sure; never changed in place."""
    arguments: tuple[Value, ...] | None = None
    """``$1 $2 ...``; None where they are not known."""
    given: bool = False
    """True where the script itself has set the arguments: by ``set``, in a function, for another shell."""
    options: frozenset[str] = frozenset()
    """Set options by long name: ``errexit``, ``nounset``, ``pipefail``, ``allexport``, ``xtrace``."""
    files: Layered[Value] = field(default_factory=Layered)
    """Texts that the script has written, by path as written."""
    folders: tuple[str, ...] = ("",)
    """The folder that the shell is in, as seen from where the script began, behind those of ``pushd``."""
    came_from: str = NOBODY_KNOWS
    """The folder that ``cd -`` goes back to."""
    hidden: tuple[Hidden, ...] = ()
    """For each function that is running, from the outside in; never changed in place."""
    at_exit: tuple[Value | None, ...] = (None,)
    """The code of ``trap ... EXIT``, None for no trap; several where ways through the script differ in it."""
    at_error: tuple[Value | None, ...] = (None,)
    """The code of ``trap ... ERR``, in the same way."""
    letter: int = 0
    """Where in a word of several options ``getopts`` goes on; 0 where it begins with the next word."""
    letter_word: int = 1
    """The word (``OPTIND``) that ``letter`` belongs to."""
    last: Outcome = SUCCESS
    """How the last command has ended, for ``$?`` and ``return``."""
    flow: Flow = Flow.NORMAL
    levels: int = 1
    """How many loops ``break`` or ``continue`` leaves."""

    def copy(self) -> State:
        """Return an independent copy."""
        return replace(
            self, variables=self.variables.copy(), functions=self.functions.copy(), files=self.files.copy()
        )

    def hide(self, name: str) -> None:
        """Let the innermost function have a variable *name* of its own, if it has none."""
        _, mark = self.hidden[-1].get(name, (None, None))
        if mark is _LOCAL:
            return
        held = self.variables.get(name)
        self.hidden = (*self.hidden[:-1], {**self.hidden[-1], name: (self.outside(name), _LOCAL)})
        self.variables[name] = Variable(None, exported=held is not None and held.exported)

    def outside(self, name: str, level: int | None = None) -> Variable | None:
        """What *name* is outside of the running function at *level*, the innermost if None."""
        level = len(self.hidden) - 1 if level is None else level
        held = self.inside(name, level)
        if name not in self.hidden[level]:
            return held
        saved, mark = self.hidden[level][name]
        return saved if mark is _LOCAL or mark is held else merge_variable(name, [saved, held])

    def inside(self, name: str, level: int) -> Variable | None:
        """What *name* is in the function at *level*, once those that it runs have ended."""
        return self.variables.get(name) if level + 1 == len(self.hidden) else self.outside(name, level + 1)

    def bring_back(self) -> None:
        """Put back what the innermost function hid, as it ends."""
        for name in self.hidden[-1]:
            found = self.outside(name)
            if found is None:
                self.variables.pop(name, None)
            else:
                self.variables[name] = found
        self.hidden = self.hidden[:-1]

    def set(self, name: str, value: Value | None, *, span: Span | None = None, export: bool = False) -> None:
        """Give a plain variable its value; it stays exported if it was."""
        before = self.variables.get(name) or Variable()
        exported = export or "allexport" in self.options or before.exported
        self.variables[name] = Variable(value, exported=exported, written=span, letters=before.letters)


# --- joining -----------------------------------------------------------------------------------------


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
    for name in _differing([state.variables for state in alive]):
        result.variables[name] = _merge_variable(name, [state.variables.get(name) for state in alive])
    for state in alive[1:]:
        result.options &= state.options
        result.exported_functions &= state.exported_functions
        if state.aliases is not first.aliases:
            result.aliases = dict(result.aliases.items() & state.aliases.items())
        if state.arguments != first.arguments:
            result.arguments, result.given = None, True
        if (state.folders, state.came_from) != (first.folders, first.came_from):
            result.folders, result.came_from = (NOBODY_KNOWS,), NOBODY_KNOWS
        if state.last.exit_status != first.last.exit_status:
            result.last = OPEN
    result.at_error = tuple(dict.fromkeys(code for state in alive for code in state.at_error))
    result.at_exit = tuple(dict.fromkeys(code for state in alive for code in state.at_exit))
    merge_hidden(result, alive)
    _merge_functions(result, alive)
    _merge_files(result, alive)
    return result


def _differing(memories: list[Layered[T]]) -> list[str]:
    """Name what is not one and the same in all of *memories*."""
    first = memories[0]
    return list(dict.fromkeys(name for other in memories[1:] for name in first.differing(other)))


def merge_hidden(result: State, states: Sequence[State]) -> None:
    """Let *result*, whose variables have been joined, hide what one of *states* hides, nobody knows which."""
    first = states[0].hidden
    if all(state.hidden is first for state in states):
        return
    levels = [*zip(*(state.hidden for state in states), strict=False)]
    outside = [
        {
            name: merge_variable(name, [state.outside(name, level) for state in states])
            for name in chain(*held)
        }
        for level, held in enumerate(levels)
    ]
    hidden: list[Hidden] = [{} for _ in levels]
    for level in reversed(range(len(levels))):
        result.hidden = tuple(hidden)
        hidden[level] = {
            name: (saved, _LOCAL if _is_local(name, levels[level]) else result.inside(name, level))
            for name, saved in outside[level].items()
        }
    result.hidden = tuple(hidden)


def _is_local(name: str, ways: Sequence[Hidden]) -> bool:
    """Tell whether *name* is a local variable on all *ways* to one place in a function."""
    return all(name in hidden and hidden[name][1] is _LOCAL for hidden in ways)


def _merge_functions(result: State, alive: list[State]) -> None:
    for name in _differing([state.functions for state in alive]):
        held = [state.functions.get(name, (None,)) for state in alive]
        result.functions[name] = tuple(dict.fromkeys(definition for each in held for definition in each))


def _merge_files(result: State, alive: list[State]) -> None:
    """A file that only one way writes is taken to be there as written: else something else made it."""
    for path in _differing([state.files for state in alive]):
        texts = [state.files[path] for state in alive if path in state.files]
        result.files[path] = join(texts, path)


def merge_variable(name: str, found: list[Variable | None]) -> Variable | None:
    """The variable that is one of *found*; None where none of them is set."""
    if all(variable is found[0] for variable in found):
        return found[0]
    return _merge_variable(name, found)


def _merge_variable(name: str, found: list[Variable | None]) -> Variable:
    present = [variable for variable in found if variable is not None]
    last = present[-1]
    absent = len(present) < len(found)
    if all(variable == last for variable in present) and not absent:
        return last
    exported = not absent and all(variable.exported for variable in present)
    maybe_unset = absent or any(held.maybe_unset or held.first is None for held in present)
    same = all((held.letters, held.reference) == (last.letters, last.reference) for held in present)
    joined = Variable(
        exported=exported,
        maybe_unset=maybe_unset,
        written=last.written,
        letters=last.letters,
        filled=not maybe_unset and all(held.filled for held in present),
    )
    if any(held.opaque for held in present) or not same or last.reference is not None:
        return replace(joined, value=unknown(f"${name}"), opaque=True)
    if any(held.items is not None for held in present):
        items = _merge_items(name, found)
        if items is None:
            return replace(joined, value=unknown(f"${name}"), opaque=True, associative=last.associative)
        more = next((held.more for held in present if held.more is not None), None)
        kind = last.associative
        return replace(joined, value=None, items=items, more=more, maybe_unset=False, associative=kind)
    values = [unknown(f"${name}") if held is None else held.value or EMPTY for held in found]
    return replace(joined, value=join(values, f"${name}"))


def _merge_items(name: str, found: list[Variable | None]) -> tuple[tuple[str, Value], ...] | None:
    """Join arrays element by element; one that only some of them have may be absent.

    Gives None where they are not all arrays of one kind, or their keys have another order.
    """
    if any(
        held is None or held.maybe_unset or (held.more is not None and held.associative) for held in found
    ):
        return None
    arrays = [held for held in found if held is not None]
    lists = [_as_items(held) for held in arrays]
    longest = max(lists, key=len)
    order = {key: index for index, (key, _) in enumerate(longest)}
    kinds = {held.associative for held, items in zip(arrays, lists, strict=True) if items}
    if len(kinds) > 1 or any(key not in order for items in lists for key, _ in items):
        return None
    held_by_key = [dict(items) for items in lists]
    # Behind the last element that is told of an array of unknown length, the others' tell nothing either.
    most = min((len(_as_items(held)) for held in arrays if held.more is not None), default=len(longest))
    return tuple(
        (key, join([items.get(key, ABSENT) for items in held_by_key], f"${{{name}[{key}]}}"))
        for key, _ in longest[:most]
    )


def _as_items(held: Variable) -> tuple[tuple[str, Value], ...]:
    if held.items is not None:
        return held.items
    return () if held.value is None else (("0", held.value),)


def is_exported(held: Variable) -> bool:
    """Tell whether a child process gets the variable for sure."""
    return held.exported and held.items is None and held.value is not None and not held.maybe_unset


def _for_child(_: str, held: Variable) -> Variable | None:
    """What a variable is to a child process; None where that knows nothing of it."""
    if is_exported(held):
        return replace(held, letters="", fixed=False) if held.letters or held.fixed else held
    return UNSET if held.first is None else None


def exported_copy(state: State) -> State:
    """The memory of a new shell process started from *state*: what is exported and nothing else."""
    functions = {name: state.functions[name] for name in state.functions if name in state.exported_functions}
    return State(
        variables=state.variables.made(_for_child),
        functions=Layered(functions),
        exported_functions=state.exported_functions,
        files=state.files.copy(),
        folders=state.folders[-1:],
    )


__all__ = [
    "NOBODY_KNOWS",
    "UNSET",
    "Flow",
    "State",
    "Variable",
    "exported_copy",
    "is_exported",
    "merge",
    "replace",
]
