"""Reads shell text: bashlex first, tree-sitter for what it refuses, neither on trust.

tree-sitter gives the statements and their places; each is read by bashlex, then, if that is refused,
from tree-sitter's nodes.  A reading counts only if it tiles the tokens (:mod:`.builder`).  What
neither reads becomes an :class:`~sbatchlint.shell.syntax.Unparsed` node and costs that statement
alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from sbatchlint.regex import regex
from sbatchlint.shell import bashlex_reader, treesitter_reader
from sbatchlint.shell.builder import Builder, Refused
from sbatchlint.shell.lexer import Kind, Lexer, Token, deep_places, hide_prefixes
from sbatchlint.shell.masking import mask
from sbatchlint.shell.quoting import Excess, Unterminated
from sbatchlint.shell.syntax import NOT_UNDERSTOOD, Body, Command, Comment, Script, Statement, Unparsed
from sbatchlint.shell.wordends import array_elements
from sbatchlint.source import Source, Span

_UNREADABLE = (Refused, Unterminated, RecursionError)
_NO_COMMAND = frozenset((Kind.NEWLINE, Kind.COMMENT, Kind.PREFIX))
_MAX_DEPTH = 60
_MOST_FOR_BASHLEX = 10_000
"""Tokens of one statement; it would take a second and more for them, tree-sitter a tenth of that."""
_SALVAGE_LINES = 40
_SALVAGE_TRIES = 400


def read_script(source: Source) -> Script:
    """Read a whole file."""
    return read_text(source.text)


def read_text(text: str, start: int = 0, stop: int | None = None) -> Script:
    """Read ``text[start:stop]`` as shell commands; spans are offsets in *text*."""
    end = len(text) if stop is None else stop
    if start == 0 and text.startswith("\ufeff"):
        start = 1  # a byte order mark: Slurm refuses the file, but its commands can be read
    return _Reading(text, start, end).script()


class _Reading:
    def __init__(self, text: str, start: int, stop: int) -> None:
        self._text = text
        self._start = start
        self._stop = stop
        self._unparsed: list[Unparsed] = []

    def script(self) -> Script:
        lexer = Lexer(self._text, self._start, self._stop)
        tokens: list[Token] = []
        broken: Unparsed | None = None
        try:
            tokens.extend(lexer)
        except Excess as error:
            broken = self._cut(tokens, str(error))
        except Unterminated as error:
            line = self._text.count("\n", 0, error.offset) + 1
            broken = self._cut(tokens, f"unterminated {error.opener} opened on line {line}")
        except RecursionError:
            broken = self._cut(tokens, "nested too deeply")
        tokens = hide_prefixes(tokens)
        readable = broken.span.start if broken else self._stop
        self._builder = Builder(self._text, tokens, lexer.documents)
        self._masked = mask(tokens, self._start, readable)
        self._deep = deep_places(tokens, _MAX_DEPTH)
        body = self._body(readable)
        if broken:
            self._unparsed.append(broken)
            body = (*body, Statement(broken.span, broken))
        comments = tuple(_comments(self._text, tokens))
        return Script(Span(self._start, self._stop), body, comments, tuple(self._unparsed))

    def _cut(self, tokens: list[Token], reason: str) -> Unparsed:
        """Leave the tokens of whole lines; the rest, from the guilty line on, can't be read."""
        while tokens and tokens[-1].kind is not Kind.NEWLINE:
            tokens.pop()
        start = tokens[-1].end if tokens else self._start
        return Unparsed(Span(start, self._stop), reason)

    # --- the list of statements ----------------------------------------------------------------

    def _body(self, readable: int) -> Body:
        return tuple(self._covered(self._statements(self._start, readable), readable))

    def _statements(self, start: int, stop: int) -> list[Statement]:
        """Read the statements in ``[start, stop)``; regions with errors are salvaged."""
        nodes = treesitter_reader.top_level(self._piece(start, stop))
        found: list[Statement] = []
        index = 0
        while index < len(nodes):
            node = nodes[index]
            if node.has_error:
                last = self._end_of_error(nodes, index, start)
                found.extend(self._salvage(node.start_byte + start, nodes[last].end_byte + start))
                index = last
            elif not treesitter_reader.is_separator(node):
                found.extend(self._line_by_line(self._statement(node, start)))
            elif node.type == "&" and found:
                found[-1] = Statement(found[-1].span, found[-1].command, True)
            index += 1
        return found

    def _line_by_line(self, statement: Statement) -> Iterator[Statement]:
        """Give back what tree-sitter took for the file behind a ``>`` at the end of a line: the next line."""
        given_up, start, stop = statement.command, statement.span.start, statement.span.end
        tokens = [token for token in self._builder.between(start, stop) if token.kind is not Kind.COMMENT]
        ends = [
            end for one, end in pairwise(tokens) if one.kind is Kind.REDIRECT and end.kind is Kind.NEWLINE
        ]
        if not isinstance(given_up, Unparsed) or self._unparsed[-1:] != [given_up] or not ends:
            yield statement
            return
        self._unparsed.pop()
        for end in ends:
            yield self._give_up(self._trimmed(start, end.start), given_up.reason)
            start = end.end
        yield from self._statements(start, stop)

    def _end_of_error(self, nodes: list[Any], index: int, base: int) -> int:
        """Give the last node of the region to salvage: whole lines, as far as errors follow each other."""
        while index + 1 < len(nodes):
            following = nodes[index + 1]
            between = self._builder.between(nodes[index].end_byte + base, following.start_byte + base)
            ends = any(token.kind is Kind.NEWLINE for token in between)
            if ends and following.is_named and not following.has_error:
                break
            index += 1
        return index

    def _statement(self, node: Any, base: int) -> Statement:
        """Read one statement: bashlex, else tree-sitter, else Unparsed."""
        span = Span(node.start_byte + base, node.end_byte + base)
        if self._is_deep(span):
            return self._give_up(self._trimmed(span.start, span.end), "nested too deeply")
        body = self._by_bashlex(span.start, span.end)
        if body is not None and len(body) == 1 and not body[0].background:
            return body[0]
        given_up = len(self._unparsed)
        inner = partial(self._statement, base=base)
        try:
            return treesitter_reader.Converter(self._builder, base, inner).statement(node)
        except _UNREADABLE as error:
            del self._unparsed[given_up:]
            return self._give_up(self._trimmed(span.start, span.end), str(error))

    def _is_deep(self, span: Span) -> bool:
        """Tell whether commands in *span* are nested deeper than can be read in reasonable time."""
        index = bisect_left(self._deep, span.start)
        return index < len(self._deep) and self._deep[index] < span.end

    def _give_up(self, span: Span, reason: str) -> Statement:
        node = Unparsed(span, reason)
        self._unparsed.append(node)
        return Statement(span, node)

    # --- where tree-sitter sees an error ---------------------------------------------------------

    def _salvage(self, start: int, stop: int) -> Iterator[Statement]:
        """Read a region whole by bashlex, else the fewest lines at a time that either parser accepts."""
        if self._is_deep(Span(start, stop)):
            yield self._give_up(self._trimmed(start, stop), "nested too deeply")
            return
        whole = self._by_bashlex(start, stop)
        if whole is not None:
            yield from whole
            return
        ends = [token.start for token in self._builder.between(start, stop) if token.kind is Kind.NEWLINE]
        ends.append(stop)
        first, tries = 0, 0
        at = start
        while first < len(ends):
            for last in range(first, min(first + _SALVAGE_LINES, len(ends))):
                tries += 1
                body = self._try(at, ends[last]) if tries < _SALVAGE_TRIES else None
                if body is not None:
                    yield from body
                    break
            else:
                last = first
                if self._builder.between(at, ends[first]):
                    yield self._give_up(self._trimmed(at, ends[first]), NOT_UNDERSTOOD)
            at = ends[last] + 1
            first = last + 1

    def _try(self, start: int, stop: int) -> Sequence[Statement] | None:
        """Read ``[start, stop)`` by either parser, if all of it makes sense."""
        if not any(token.kind not in _NO_COMMAND for token in self._builder.between(start, stop)):
            return ()
        body = self._by_bashlex(start, stop)
        if body is not None:
            return body
        if any(node.has_error for node in treesitter_reader.top_level(self._piece(start, stop))):
            return None
        given_up = len(self._unparsed)
        found = self._statements(start, stop)
        if len(self._unparsed) == given_up:
            return found
        del self._unparsed[given_up:]
        return None

    def _piece(self, start: int, stop: int) -> str:
        return self._masked[start - self._start : stop - self._start]

    def _by_bashlex(self, start: int, stop: int) -> Body | None:
        if len(self._builder.between(start, stop)) > _MOST_FOR_BASHLEX:
            return None
        try:
            return bashlex_reader.read(self._builder, self._masked, self._start, start, stop)
        except _UNREADABLE:
            return None

    def _trimmed(self, start: int, stop: int) -> Span:
        tokens = [token for token in self._builder.between(start, stop) if token.kind is not Kind.NEWLINE]
        return Span(tokens[0].start, tokens[-1].end) if tokens else Span(start, stop)

    # --- nothing may be lost -----------------------------------------------------------------------

    def _covered(self, statements: list[Statement], readable: int) -> Iterator[Statement]:
        """Yield the statements, and an Unparsed for any token between them that belongs to none."""
        at = self._start
        for found in statements:
            yield from self._lost(at, found.span.start)
            yield found
            at = max(at, found.span.end)
        yield from self._lost(at, readable)

    def _lost(self, start: int, stop: int) -> Iterator[Statement]:
        lost = [
            token
            for token in self._builder.between(start, stop)
            if token.kind not in _NO_COMMAND and token.text not in (";", "&")
        ]
        if lost:
            yield self._give_up(Span(lost[0].start, lost[-1].end), "belongs to no statement")


_ARRAY = regex(r"[A-Za-z_][A-Za-z0-9_]*(?:\[.*?\])?\+?=\(", re.S)
_COMMENT = regex(r"#[^\n]*")


def _comments(text: str, tokens: list[Token]) -> Iterator[Comment]:
    """Yield the comments among *tokens* and those between the elements of arrays."""
    for token in tokens:
        if token.kind is Kind.COMMENT:
            yield Comment(Span(token.start, token.end), token.text)
        elif token.kind is Kind.WORD and (array := _ARRAY.match(token.text)):
            at, stop = token.start + array.end(), token.end - 1
            for element in (*array_elements(text, at, stop), Span(stop, stop)):
                for comment in _COMMENT.finditer(text, at, element.start):
                    yield Comment(Span(*comment.span()), comment.group())
                at = element.end


__all__ = ["Command", "read_script", "read_text"]
