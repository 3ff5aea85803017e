"""The simple commands of the batch shell's own text, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sbatchlint.lint.ask.nodes import Place, nodes_of
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.shell.syntax import Simple, Word
from sbatchlint.source import Span


@dataclass(frozen=True)
class Written:
    """One simple command with at least one word."""

    node: Simple
    place: Place

    @cached_property
    def name(self) -> str | None:
        """Its first word, if no expansion can change it."""
        return self.node.name

    @cached_property
    def words(self) -> tuple[str | None, ...]:
        """What follows the name; None for a word that an expansion changes."""
        return tuple(word.literal for word in self.node.words[1:])

    @property
    def arguments(self) -> tuple[Word, ...]:
        """What follows the name, as it is written."""
        return self.node.words[1:]

    @property
    def span(self) -> Span:
        """The whole command."""
        return self.node.span


@asked_once
def written_commands(job: Job) -> Iterator[Written]:
    """Yield the commands of the script itself, those in substitutions too; not what is in strings."""
    for node, place in nodes_of(job, Simple):
        if node.words:
            yield Written(node, place)


def shebang_words(job: Job) -> tuple[str, ...]:
    """The words of the first line behind ``#!``; none where there is no such line."""
    first = job.source.line(1)
    return tuple(first[2:].split()) if first.startswith("#!") else ()
