"""The nodes of a script's syntax tree, those inside command substitutions too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import TypeVar

from sbatchlint.lint.job import Job
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import CommandSubstitution, ProcessSubstitution
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


@lru_cache(maxsize=2)
def places(job: Job) -> tuple[Place, ...]:
    """Each node of the script, outer ones first."""
    return tuple(_walk(job.source.text, job.script, ()))


def nodes_of(job: Job, kind: type[_Node]) -> Iterator[tuple[_Node, Place]]:
    """Yield each node of *kind* with its place."""
    for place in places(job):
        if isinstance(place.node, kind):
            yield place.node, place


def _walk(text: str, node: object, around: tuple[object, ...]) -> Iterator[Place]:
    if isinstance(node, tuple):
        for item in node:
            yield from _walk(text, item, around)
    elif is_dataclass(node) and not isinstance(node, Span):
        yield Place(node, around)
        inner = (*around, node)
        if isinstance(node, (CommandSubstitution, ProcessSubstitution)):
            yield from _walk(text, read_text(text, node.body.start, node.body.end).body, inner)
            return
        for field in fields(node):
            yield from _walk(text, getattr(node, field.name), inner)
