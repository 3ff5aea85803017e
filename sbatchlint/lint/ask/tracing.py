"""What ``set -x`` prints with its values: the words of commands, assignments, and tests.

Seen with bash 5.2: the words of ``for`` and ``case``, array elements, redirections and here-documents are
printed as they are written, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.lint.ask.commands import Written
from sbatchlint.lint.ask.nodes import Place, places
from sbatchlint.lint.ask.shell_modes import mode_set_by
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import Simple, Test
from sbatchlint.source import Span


@dataclass(frozen=True, slots=True)
class Traced:
    """A command of the script's own shell that tracing prints, or the one that switches tracing."""

    span: Span
    name: str | None
    """The command's first word; None for assignments alone and for ``[[ ... ]]``."""
    place: Place
    shown: tuple[Span, ...]
    """The words whose values are printed."""
    assigned: tuple[tuple[str, Span], ...]
    """The variables that it sets, each with the whole ``name=value``."""
    tracing: bool | None
    """What it makes of tracing; None where it leaves it alone, or changes it in a shell of its own."""


def traced_commands(job: Job) -> Iterator[Traced]:
    """Yield the commands that ``set -x`` would print, in the order in which they are written."""
    for place in places(job):
        node = place.node
        if isinstance(node, Test):
            yield Traced(node.span, None, place, tuple(word.span for word in node.words), (), None)
        elif isinstance(node, Simple):
            plain = [one for one in node.assignments if one.elements is None]
            values = [one.value.span for one in plain if one.value is not None]
            state = (
                None if place.in_own_shell or not node.words else mode_set_by(Written(node, place), "xtrace")
            )
            yield Traced(
                node.span,
                node.name,
                place,
                (*values, *(word.span for word in node.words)),
                tuple((one.name, one.span) for one in plain),
                state,
            )


__all__ = ["Traced", "traced_commands"]
