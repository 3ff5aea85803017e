"""Reads a text with each of the two parsers alone, statement by statement and at every depth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sbatchlint.shell import bashlex_reader, treesitter_reader
from sbatchlint.shell.builder import Builder, Refused
from sbatchlint.shell.lexer import Lexer, hide_prefixes
from sbatchlint.shell.masking import mask
from sbatchlint.shell.quoting import Unterminated
from sbatchlint.shell.syntax import Statement, Unparsed
from sbatchlint.source import Span


@dataclass
class Comparison:
    """What the two made of a text's statements: how many each read, and where they differ."""

    both: int = 0
    bashlex_alone: int = 0
    treesitter_alone: int = 0
    neither: list[Span] = field(default_factory=list)
    differences: list[tuple[Statement, Statement]] = field(default_factory=list)


def compare(text: str) -> Comparison:
    """Read every statement of *text* with both parsers; the text's quotes must be closed."""
    lexer = Lexer(text, 0, len(text))
    tokens = hide_prefixes(list(lexer))
    reading = _BothReaders(Builder(text, tokens, lexer.documents), mask(tokens, 0, len(text)))
    reading.statements(treesitter_reader.top_level(reading.masked))
    return reading.result


class _BothReaders:
    def __init__(self, builder: Builder, masked: str) -> None:
        self.builder = builder
        self.masked = masked
        self.result = Comparison()

    def statements(self, nodes: Iterable[Any]) -> None:
        for node in nodes:
            if not treesitter_reader.is_separator(node):
                self.statement(node)

    def statement(self, node: Any) -> Statement:
        span = Span(node.start_byte, node.end_byte)
        first, second = self._bashlex(span), self._treesitter(node)
        result = self.result
        if first is not None and second is not None:
            result.both += 1
            if first != second:
                result.differences.append((first, second))
        elif first is not None:
            result.bashlex_alone += 1
        elif second is not None:
            result.treesitter_alone += 1
        else:
            result.neither.append(span)
        return first or second or Statement(span, Unparsed(span, "neither reads it"))

    def _bashlex(self, span: Span) -> Statement | None:
        try:
            body = bashlex_reader.read(self.builder, self.masked, 0, span.start, span.end)
        except (Refused, Unterminated):
            return None
        return body[0] if len(body) == 1 and not body[0].background else None

    def _treesitter(self, node: Any) -> Statement | None:
        if node.has_error:
            return None
        try:
            return treesitter_reader.Converter(self.builder, 0, self.statement).statement(node)
        except (Refused, Unterminated):
            return None
