"""The words of ``[[ ... ]]``, in which ``<`` compares and ``=~`` takes a regular expression."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.regex import regex
from sbatchlint.shell import quoting
from sbatchlint.shell.quoting import Unterminated
from sbatchlint.shell.wordends import METACHARACTERS, end_of_word
from sbatchlint.source import Span

_BETWEEN = regex(r"(?:[ \t\n]|\\\n|#[^\n]*)+")
_MATCHES = frozenset(("==", "!=", "="))


def end_of_test(text: str, start: int, stop: int) -> int:
    """Give the offset behind the ``]]`` of the ``[[`` at *start*."""
    for span in _words(text, start + 2, stop):
        if _closes(text, span):
            return span.end
    raise Unterminated(start, "[[")


def test_words(text: str, start: int, stop: int) -> tuple[Span, ...]:
    """Give the words between ``[[`` and ``]]``; operators and parentheses are words of their own."""
    return tuple(_words(text, start, stop))


def _closes(text: str, span: Span) -> bool:
    return len(span) == 2 and text.startswith("]]", span.start)


def _words(text: str, start: int, stop: int) -> Iterator[Span]:
    at, before = start, ""
    while True:
        between = _BETWEEN.match(text, at, stop)
        at = between.end() if between else at
        if at >= stop:
            return
        if before == "=~":
            end = _end_of_regex(text, at, stop)
        else:
            end = end_of_word(text, at, stop, pattern=before in _MATCHES)
        if end == at:
            end = min(at + (2 if text.startswith(("&&", "||"), at) else 1), stop)
        yield Span(at, end)
        before = text[at:end]
        at = end


def _end_of_regex(text: str, start: int, stop: int) -> int:
    """Give the end of a regular expression: ``(a b|c)`` and ``|`` belong to the word."""
    at = start
    while at < stop:
        if text[at] == "(":
            at = quoting.end_of_matched(text, at, stop)
        elif text[at] == "|":
            at += 1
        elif text[at] in METACHARACTERS:
            return at
        else:
            end = end_of_word(text, at, stop, pattern=False)
            if end == at:
                return at
            at = end
    return at
