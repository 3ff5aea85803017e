"""The nodes of a script's syntax tree, those inside command substitutions too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import NamedTuple, TypeVar, cast

from sbatchlint.lint.ask.once import asked_once, kept
from sbatchlint.lint.job import Job
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
_PLAIN = frozenset(("Span", "str", "bool", "tuple[str, ...]"))
"""Types of fields, as the syntax tree's classes spell them, that hold no nodes."""
_BRANCH = (AndOr, ArithmeticFor, Case, For, If, While)
_OWN_SHELL = (Subshell, CommandSubstitution, Pipeline)


class Place(NamedTuple):
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
        return self.inside(*_OWN_SHELL)

    @property
    def in_branch(self) -> bool:
        """Whether a condition or a loop decides if, and how often, it is reached."""
        return self.inside(*_BRANCH)

    @property
    def may_be_skipped(self) -> bool:
        """Whether a condition, a loop or the call of a function decides if it is reached."""
        return self.inside(*_BRANCH, Function)

    @property
    def conditional(self) -> bool:
        """Whether it is no plain line of the script: in a branch, in a function, in a shell of its own."""
        return self.inside(*_BRANCH, Function, *_OWN_SHELL)


@asked_once
def places(job: Job) -> Iterator[Place]:
    """Each node of the script, outer ones first."""
    return walk(job.script, inside=job.source.text)


def nodes_of(job: Job, kind: type[_Node]) -> Iterator[tuple[_Node, Place]]:
    """Yield each node of *kind*, of which no other class of nodes is a kind, with its place."""
    return iter(cast("list[tuple[_Node, Place]]", _by_kind(job).get(kind, [])))


@kept
def _by_kind(job: Job) -> dict[type, list[tuple[object, Place]]]:
    found: dict[type, list[tuple[object, Place]]] = {}
    for place in places(job):
        found.setdefault(type(place.node), []).append((place.node, place))
    return found


def walk(node: object, around: tuple[object, ...] = (), *, inside: str | None = None) -> Iterator[Place]:
    """Yield *node* and the nodes in it, outer ones first.

    With *inside*, the text of the script, also what stands in command and process substitutions.
    """
    stack = [(node, around)]
    while stack:
        node, around = stack.pop()
        if isinstance(node, tuple):
            stack.extend([(item, around) for item in reversed(node)])
            continue
        kind: type = type(node)
        parts = _parts(kind)
        if parts is None:
            continue
        yield Place(node, around)
        if parts:
            inner = (*around, node)
            stack.extend([(part, inner) for name in parts if (part := getattr(node, name))])
        elif inside is not None and isinstance(node, (CommandSubstitution, ProcessSubstitution)):
            stack.append((read_text(inside, node.body.start, node.body.end).body, (*around, node)))


@cache
def _parts(kind: type) -> tuple[str, ...] | None:
    """The fields of nodes of *kind* that may hold nodes, the last one first; None for what is no node."""
    if not is_dataclass(kind) or kind is Span:
        return None
    return tuple(field.name for field in reversed(fields(kind)) if field.type not in _PLAIN)
