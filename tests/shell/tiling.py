"""Proves that a syntax tree holds every word of its text once: the law that a reading must tile."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from sbatchlint.shell.lexer import Kind, Lexer, Token, hide_prefixes
from sbatchlint.shell.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Assignment,
    Redirect,
    Script,
    Test,
    Unparsed,
    Word,
)


def untiled(text: str, script: Script) -> set[int]:
    """Give the offsets of words that the tree lacks, or that it has and the text has not.

    Raises AssertionError where a word stands in the tree twice.
    """
    tokens = hide_prefixes(list(Lexer(text, script.span.start, script.span.end)))
    hidden = [node.span for node in script.unparsed]
    in_text = {
        token.start
        for token in _words(tokens)
        if not any(span.start <= token.start < span.end for span in hidden)
    }
    in_tree = [start for statement in script.body for start in _starts(statement)]
    assert len(in_tree) == len(set(in_tree)), "a word stands in the tree twice"
    return in_text ^ set(in_tree)


def _words(tokens: Sequence[Token]) -> Iterator[Token]:
    """Give the tokens that the tree must hold; the names of loops and functions have no node."""
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else None
        if token.kind in (Kind.TEST, Kind.ARITHMETIC):
            yield token
        if token.kind is not Kind.WORD or (token.reserved and token.text not in ("time", "coproc")):
            continue
        names = before is not None and before.reserved and before.text in ("for", "select", "function")
        follows = [after.text for after in tokens[index + 1 : index + 3]]
        if not names and follows != ["(", ")"]:
            yield token


def _starts(node: object) -> Iterator[int]:
    if isinstance(node, (Word, Assignment)):
        yield node.span.start
    elif isinstance(node, Redirect):
        yield node.target.span.start
    elif isinstance(node, (Test, ArithmeticCommand)):
        yield node.span.start
        yield from _starts(node.redirects)
    elif isinstance(node, ArithmeticFor):
        yield node.header.span.start - 2
        yield from _starts((node.body, node.redirects))
    elif isinstance(node, tuple):
        for item in node:
            yield from _starts(item)
    elif dataclasses.is_dataclass(node) and not isinstance(node, Unparsed):
        for field in dataclasses.fields(node):
            yield from _starts(getattr(node, field.name))
