"""The nodes of a script's syntax tree, those inside command substitutions too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TypeVar

from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import (
    AndOr,
    ArithmeticFor,
    Case,
    CommandSubstitution,
    For,
    Function,
    If,
    Pipeline,
    ProcessSubstitution,
    Subshell,
    While,
)
from sbatchlint.source import Span

_Node = TypeVar("_Node")


@dataclass(frozen=True, slots=True)
class Place:
    """A node, and what it stands in from the outside in."""

    node: object
    around: tuple[object, ...]

    def inside(self, *kinds: type) -> bool:
        """Tell whether a node of one of *kinds* is around it."""
        return any(isinstance(node, kinds) for node in self.around)

    def nearest(self, kind: type[_Node]) -> _Node | None:
        """The innermost node of *kind* around it; None for none."""
        return next((node for node in reversed(self.around) if isinstance(node, kind)), None)

    @property
    def in_function(self) -> bool:
        """Whether it stands in the body of a function."""
        return self.inside(Function)

    @property
    def in_own_shell(self) -> bool:
        """Whether what is set there is lost afterwards: parentheses, ``$(...)``, a pipe."""
        return self.inside(Subshell, CommandSubstitution, Pipeline)

    @property
    def in_branch(self) -> bool:
        """Whether a condition or a loop decides if, and how often, it is reached."""
        return self.inside(AndOr, ArithmeticFor, Case, For, If, While)

    @property
    def may_be_skipped(self) -> bool:
        """Whether a condition, a loop or the call of a function decides if it is reached."""
        return self.in_branch or self.in_function

    @property
    def conditional(self) -> bool:
        """Whether it is no plain line of the script: in a branch, in a function, in a shell of its own."""
        return self.may_be_skipped or self.in_own_shell


@asked_once
def places(job: Job) -> Iterator[Place]:
    """Each node of the script, outer ones first."""
    return walk(job.script, inside=job.source.text)


def nodes_of(job: Job, kind: type[_Node]) -> Iterator[tuple[_Node, Place]]:
    """Yield each node of *kind* with its place."""
    for place in places(job):
        if isinstance(place.node, kind):
            yield place.node, place


def walk(node: object, around: tuple[object, ...] = (), *, inside: str | None = None) -> Iterator[Place]:
    """Yield *node* and the nodes in it, outer ones first.

    With *inside*, the text of the script, also what stands in command and process substitutions.
    """
    stack = [(node, around)]
    while stack:
        node, around = stack.pop()
        if isinstance(node, tuple):
            stack.extend((item, around) for item in reversed(node))
            continue
        kind: type = type(node)
        parts = _parts(kind)
        if not parts:
            continue
        yield Place(node, around)
        inner = (*around, node)
        if inside is not None and isinstance(node, (CommandSubstitution, ProcessSubstitution)):
            stack.append((read_text(inside, node.body.start, node.body.end).body, inner))
        else:
            stack.extend((getattr(node, part), inner) for part in reversed(parts))


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The fields of nodes of *kind*; none for what is no node."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) and kind is not Span else ()
