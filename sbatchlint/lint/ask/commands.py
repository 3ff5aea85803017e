"""The simple commands of the batch shell's own text, in the order in which they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.lint.ask.nodes import Place, nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import (
    AndOr,
    Case,
    CommandSubstitution,
    For,
    Function,
    If,
    Pipeline,
    Simple,
    Subshell,
    While,
    Word,
)
from sbatchlint.source import Span

_SET_BUNDLE = re.compile(r"[-+][a-zA-Z]+")


@dataclass(frozen=True, slots=True)
class Written:
    """One simple command with at least one word."""

    node: Simple
    place: Place

    @property
    def name(self) -> str | None:
        """Its first word, if no expansion can change it."""
        return self.node.words[0].literal

    @property
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

    @property
    def in_function(self) -> bool:
        """Whether it stands in the body of a function."""
        return self.place.inside(Function)

    @property
    def in_own_shell(self) -> bool:
        """Whether what it sets is lost afterwards: parentheses, ``$(...)``, a pipe."""
        return self.place.inside(Subshell, CommandSubstitution, Pipeline)

    @property
    def in_branch(self) -> bool:
        """Whether a condition decides if it is reached."""
        return self.place.inside(AndOr, Case, For, If, While)


def written_commands(job: Job) -> Iterator[Written]:
    """Yield the commands of the script itself, those in substitutions too; not what is in strings."""
    for node, place in nodes_of(job, Simple):
        if node.words:
            yield Written(node, place)


def option_state(command: Written, letter: str, name: str) -> bool | None:
    """What ``set`` makes of a shell option (``u``, ``nounset``); None where it leaves the option alone."""
    if command.name != "set":
        return None
    state: bool | None = None
    words = command.words
    for index, word in enumerate(words):
        if word in (None, "--", "-"):
            break
        assert word is not None
        before = words[index - 1] if index else None
        if before is not None and _SET_BUNDLE.fullmatch(before) and before.endswith("o"):
            state = before.startswith("-") if word == name else state
        elif _SET_BUNDLE.fullmatch(word) and letter in word[1:]:
            state = word.startswith("-")
    return state


def shebang_words(job: Job) -> tuple[str, ...]:
    """The words of the first line behind ``#!``; none where there is no such line."""
    first = job.source.line(1)
    return tuple(first[2:].split()) if first.startswith("#!") else ()
