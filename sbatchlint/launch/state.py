"""What a shell knows at one point of a script: variables, functions, arguments, options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeVar

from sbatchlint.launch.combining import join
from sbatchlint.launch.layered import Layered
from sbatchlint.launch.outcomes import OPEN, SUCCESS, Outcome
from sbatchlint.launch.scopes import Hidden, merge_hidden
from sbatchlint.launch.values import Value
from sbatchlint.launch.variable import Variable, for_child, merge_variable
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


@dataclass(frozen=True, slots=True)
class Alias:
    """One alias of the script."""

    text: Value
    below: int
    """Where the line ends that defines it: it is an alias for what is read behind that."""


T = TypeVar("T")
NOBODY_KNOWS = "?"
"""A folder that is not known."""
Definition = tuple["Function", "Code"]
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
    unlikely: bool = False
    """True where it leaves a loop or a function only if an assumed decision goes the other way."""

    def copy(self) -> State:
        """Return an independent copy."""
        return replace(
            self, variables=self.variables.copy(), functions=self.functions.copy(), files=self.files.copy()
        )

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
        joined = merge_variable(name, [state.variables.get(name) for state in alive])
        if joined is not None:
            result.variables[name] = joined
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


def _merge_functions(result: State, alive: list[State]) -> None:
    for name in _differing([state.functions for state in alive]):
        held = [state.functions.get(name, (None,)) for state in alive]
        result.functions[name] = tuple(dict.fromkeys(definition for each in held for definition in each))


def _merge_files(result: State, alive: list[State]) -> None:
    """A file that only one way writes is taken to be there as written: else something else made it."""
    for path in _differing([state.files for state in alive]):
        texts = [state.files[path] for state in alive if path in state.files]
        result.files[path] = join(texts, path)


def exported_copy(state: State) -> State:
    """The memory of a new shell process started from *state*: what is exported and nothing else."""
    functions = {name: state.functions[name] for name in state.functions if name in state.exported_functions}
    return State(
        variables=state.variables.made(for_child),
        functions=Layered(functions),
        exported_functions=state.exported_functions,
        files=state.files.copy(),
        folders=state.folders[-1:],
    )
