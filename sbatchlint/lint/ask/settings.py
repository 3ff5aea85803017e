"""Variables that the batch shell sets for what follows."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple
from sbatchlint.source import Span

DECLARING = frozenset("export declare typeset readonly local".split())
"""Commands whose arguments may be assignments."""
_ASSIGNS = regex(r"(?P<name>[A-Za-z_]\w*)=")


@dataclass(frozen=True, slots=True)
class VariableSetting:
    """``NAME=value`` or ``export NAME=value``; not the settings of a single command."""

    name: str
    span: Span
    value: Span | None
    """The value as written; None for an array or an addition."""
    conditional: bool
    """True in a branch, a loop, a function or a shell of its own."""


@asked_once
def settings_of(job: Job) -> Iterator[VariableSetting]:
    """The settings of the script, in order."""
    for node, place in nodes_of(job, Simple):
        if not node.words:
            for assignment in node.assignments:
                plain = assignment.value if not (assignment.append or assignment.subscript) else None
                span = plain.span if plain is not None else None
                yield VariableSetting(assignment.name, assignment.span, span, place.conditional)
        elif node.name in DECLARING:
            for word in node.words[1:]:
                match = _ASSIGNS.match(job.source.text, word.span.start, word.span.end)
                if match is not None:
                    value = Span(match.end(), word.span.end)
                    yield VariableSetting(match["name"], word.span, value, place.conditional)
