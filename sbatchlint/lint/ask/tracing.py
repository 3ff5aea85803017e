"""What ``set -x`` prints with its values: the words of commands, assignments, and tests.

Seen with bash 5.2: the words of ``for`` and ``case``, array elements, redirections and here-documents are
printed as they are written, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbatchlint.launch.modes import modes
from sbatchlint.lint.ask.commands import Written, written_commands
from sbatchlint.lint.ask.deferred import task_codes
from sbatchlint.lint.ask.nodes import Place, places, walk
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.ask.secret_names import secrets_of
from sbatchlint.lint.ask.shell_modes import mode_set_by, starts_with
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import Assignment, Simple, Test
from sbatchlint.source import Span

_STARTED = regex(
    r"(?:^|[\s/])(?:ba|z|k|da)?sh((?:\s+-[A-Za-z]+(?:\s+(?:xtrace|pipefail|errexit|nounset))?)+)\s*['\"]?$"
)
"""A shell with its options, right before the code that it is given."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A command of the script's own shell that tracing prints, or the one that switches tracing."""

    node: Simple | Test
    place: Place
    tracing: bool | None
    """What it makes of tracing; None where it leaves it alone, or changes it in a shell of its own."""

    @property
    def span(self) -> Span:
        """The whole command."""
        return self.node.span

    @property
    def name(self) -> str | None:
        """The command's first word; None for assignments alone and for ``[[ ... ]]``."""
        return self.node.name if isinstance(self.node, Simple) else None

    @property
    def shown(self) -> tuple[Span, ...]:
        """The words whose values are printed."""
        values = (one.value.span for one in self._assignments if one.value is not None)
        return (*values, *(word.span for word in self.node.words))

    @property
    def assigned(self) -> tuple[tuple[str, Span], ...]:
        """The variables that it sets, each with the whole ``name=value``."""
        return tuple((one.name, one.span) for one in self._assignments)

    @property
    def _assignments(self) -> list[Assignment]:
        given = self.node.assignments if isinstance(self.node, Simple) else ()
        return [one for one in given if one.elements is None]


def traces_itself(job: Job) -> bool:
    """Tell whether the script's own shell prints any of its commands."""
    switches = (mode_set_by(command, "xtrace") for command in written_commands(job))
    return starts_with(job, "xtrace") or any(switches)


@asked_once
def traced_commands(job: Job) -> Iterator[Traced]:
    """Yield the commands that ``set -x`` would print, in the order in which they are written."""
    yield from _traced(places(job))


@dataclass(frozen=True, slots=True)
class TracedTask:
    """Code that the shells of a step's tasks read, and that is written in the script."""

    traced: bool
    """Whether its shell is started with tracing on (``bash -x -c '...'``)."""
    commands: tuple[Traced, ...]
    secrets: tuple[tuple[str, Span], ...]
    """Where it expands variables that hold secrets, by name."""


def traced_tasks(job: Job) -> Iterator[TracedTask]:
    """Yield the codes of tasks that are written between single quotes or in here-documents."""
    for code in task_codes(job):
        found = list(walk(read_text(job.source.text, code.span.start, code.span.end).body))
        before = job.source.text[job.source.line_around(code.span.start).start : code.span.start]
        started = _STARTED.search(before)
        traced = started is not None and "xtrace" in modes(started[1].split())
        yield TracedTask(traced, tuple(_traced(found)), tuple(secrets_of(code.reads)))


def _traced(found: Iterable[Place]) -> Iterator[Traced]:
    for place in found:
        node = place.node
        if isinstance(node, Test):
            yield Traced(node, place, None)
        elif isinstance(node, Simple):
            state = mode_set_by(Written(node, place), "xtrace") if node.name == "set" else None
            yield Traced(node, place, None if place.in_own_shell else state)


__all__ = ["Traced", "TracedTask", "traced_commands", "traced_tasks", "traces_itself"]
