"""Which lines belong to one command, so that a suppression covers all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sbatchlint.shell import syntax
from sbatchlint.source import Source, Span

if TYPE_CHECKING:
    from sbatchlint.shell.syntax import Command, Script, Statement

    Node = Command | Statement

Lines = range
"""Line numbers from 1."""


class CommandLines:
    """The lines of every statement and of every plain command of a script."""

    def __init__(self, source: Source, script: Script) -> None:
        self._source = source
        self._starting: dict[int, Lines] = {}
        """The longest statement that starts on a line."""
        self._plain: list[Lines] = []
        self.below: dict[int, int] = {}
        """For a line with nothing but a comment the first one under it that holds more, once asked for."""
        for statement in script.body:
            self._enter(statement)
        for unparsed in script.unparsed:
            self._plain.append(self._lines(unparsed.span))

    def starting_at(self, line: int) -> Lines | None:
        """Return the lines of the outermost statement whose first line is *line*."""
        return self._starting.get(line)

    def around(self, line: int) -> list[Lines]:
        """Return the plain commands (those with no commands inside) of which *line* is a part."""
        return [lines for lines in self._plain if line in lines]

    def _enter(self, node: Node) -> None:
        lines = self._lines(_extent(node))
        if isinstance(node, syntax.Statement):
            known = self._starting.get(lines.start)
            if known is None or len(known) < len(lines):
                self._starting[lines.start] = lines
        if _is_plain(node):
            self._plain.append(lines)
        for child in _children(node):
            if not _is_plain(node) or isinstance(child, syntax.Statement):
                self._enter(child)

    def _lines(self, span: Span) -> Lines:
        first = self._source.position(span.start).line
        last = self._source.position(max(span.start, span.end - 1)).line
        return range(first, last + 1)


def _is_plain(node: Node) -> bool:
    """Tell whether no part of *node* is a list of commands of its own."""
    if isinstance(node, (syntax.Pipeline, syntax.AndOr)):
        return all(_is_plain(command) for command in node.commands)
    if isinstance(node, syntax.Statement):
        return _is_plain(node.command)
    return not isinstance(
        node,
        (
            syntax.Group,
            syntax.Subshell,
            syntax.If,
            syntax.While,
            syntax.For,
            syntax.ArithmeticFor,
            syntax.Case,
            syntax.Function,
        ),
    )


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, syntax.Statement):
        yield node.command
    elif isinstance(node, (syntax.Pipeline, syntax.AndOr)):
        yield from node.commands
    elif isinstance(node, syntax.If):
        for condition, body in node.branches:
            yield from (*condition, *body)
        yield from node.otherwise
    elif isinstance(node, syntax.While):
        yield from (*node.condition, *node.body)
    elif isinstance(node, syntax.Case):
        for item in node.items:
            yield from item.body
    elif isinstance(node, syntax.Function):
        yield node.body
    elif isinstance(node, (syntax.Group, syntax.Subshell, syntax.For, syntax.ArithmeticFor)):
        yield from node.body


def _extent(node: Node) -> Span:
    """Return the span of *node* with the here-documents that it reads, which follow on later lines."""
    span = node.span
    for redirect in getattr(node, "redirects", ()):
        if redirect.document is not None:
            span = span.cover(redirect.document.span)
    for child in _children(node):
        span = span.cover(_extent(child))
    return span
