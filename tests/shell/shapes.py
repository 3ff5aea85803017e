"""The structure of a syntax tree without its offsets, to be compared with what a test has written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sbatchlint.shell import syntax
from sbatchlint.shell.reader import read_text
from sbatchlint.source import Span

Shape = Any
"""Nested tuples of strings; each test helper makes the same ones."""


def shape(text: str, start: int = 0, stop: int | None = None) -> Shape:
    """Read ``text[start:stop]`` and give the shape of its statements."""
    return _Shaper(text).body(read_text(text, start, stop).body)


class _Shaper:
    def __init__(self, text: str) -> None:
        self._text = text

    def _slice(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def body(self, statements: syntax.Body) -> Shape:
        return tuple((self.command(found.command), found.background) for found in statements)

    def word(self, word: syntax.Word) -> Shape:
        """Give the word as written, and the shapes of the ``$(...)`` in it."""
        inside = tuple(shape(self._text, body.start, body.end) for body in _substitutions(word))
        return (self._slice(word.span), inside)

    def words(self, words: Iterable[syntax.Word]) -> Shape:
        return tuple(self.word(word) for word in words)

    def _redirects(self, redirects: Iterable[syntax.Redirect]) -> Shape:
        return tuple(
            (
                found.descriptor,
                found.operator,
                self.word(found.target),
                self._slice(found.document.span) if found.document else None,
            )
            for found in redirects
        )

    def command(self, node: syntax.Command) -> Shape:
        kind = type(node).__name__
        if isinstance(node, syntax.Simple):
            assigned = tuple(self._slice(found.span) for found in node.assignments)
            return (kind, assigned, self.words(node.words), self._redirects(node.redirects))
        if isinstance(node, syntax.Pipeline):
            return (kind, node.negated, node.operators, tuple(self.command(one) for one in node.commands))
        if isinstance(node, syntax.AndOr):
            return (kind, node.operators, tuple(self.command(one) for one in node.commands))
        if isinstance(node, syntax.Function):
            return (kind, node.name, self.command(node.body))
        if isinstance(node, syntax.Unparsed):
            return (kind, self._slice(node.span), node.reason)
        return (kind, *self._compound(node), self._redirects(node.redirects))

    def _compound(self, node: Any) -> Shape:
        if isinstance(node, (syntax.Group, syntax.Subshell)):
            return (self.body(node.body),)
        if isinstance(node, syntax.If):
            branches = tuple((self.body(test), self.body(then)) for test, then in node.branches)
            return (branches, self.body(node.otherwise))
        if isinstance(node, syntax.While):
            return (node.until, self.body(node.condition), self.body(node.body))
        if isinstance(node, syntax.For):
            words = None if node.words is None else self.words(node.words)
            return (node.select, node.name, words, self.body(node.body))
        if isinstance(node, syntax.ArithmeticFor):
            return (self._slice(node.header.span), self.body(node.body))
        if isinstance(node, syntax.Case):
            items = tuple(
                (self.words(item.patterns), self.body(item.body), item.terminator) for item in node.items
            )
            return (self.word(node.subject), items)
        if isinstance(node, syntax.Test):
            return (self.words(node.words),)
        return (self._slice(node.expression.span),)


def _substitutions(node: object) -> Iterator[Span]:
    if isinstance(node, syntax.CommandSubstitution):
        if not node.backquoted:
            yield node.body
    elif isinstance(node, (syntax.Word, syntax.DoubleQuoted)):
        for part in node.parts:
            yield from _substitutions(part)
    elif isinstance(node, syntax.Parameter):
        for argument in node.arguments:
            yield from _substitutions(argument)
