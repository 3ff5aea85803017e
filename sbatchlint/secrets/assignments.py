"""Values under a name that says secret, in every notation that a job script has.

``NAME=value``, ``NAME=${NAME:-value}``, ``--name value``, ``name: value``, ``"name": "value"``,
``os.environ["NAME"] = "value"``, ``setenv NAME value``; in code, strings, here-documents and comments alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sbatchlint.regex import regex
from sbatchlint.secrets.folding import folded
from sbatchlint.source import Span

_SECRET_WORD = regex(r"token|key|secret|pass(?:word|wd|phrase|code)|credential|pwd|_pat(?![a-z])")
"""Looked for in folded text."""
_NAME_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_REST_OF_NAME = regex(r"[A-Za-z0-9_.-]*")
_REST_OF_PARAMETER = regex(r"[A-Za-z0-9_]*")
_LONGEST_NAME = 64
_LONGEST_VALUE = 512

_ASSIGN = regex(r"(?:\\?[\"'])?\]?[ \t]{0,4}(?:\+=|:=|=>|=|:)[ \t]{0,4}")
_OPTION = regex(r"=|[ \t]{1,8}(?:\\\n[ \t]{0,80})?")
_SETENV = regex(r"[ \t]{1,8}")
_DEFAULT = regex(r":?[-=]")
_OPEN = regex(r"(?P<quote>\\?[\"'])?(?P<default>\$\{[A-Za-z0-9_]{1,64}:?[-=](?:\\?[\"'])?)?")
_BARE = regex(rf"[^\s\"'`;|&<>(){{}}\\,]{{1,{_LONGEST_VALUE}}}")
_QUOTED = regex(rf"[^\s\"'`\\]{{1,{_LONGEST_VALUE}}}(?=\\?[\"'])")

_QUOTED_WORDS = regex(rf"[^\n\"'`\\]{{1,{_LONGEST_VALUE}}}(?=\\?[\"'])")


class Assignment(NamedTuple):
    """A name and the place of the value that it is given."""

    name: Span
    value: Span


def assignments(text: str, *, blanks: bool = False) -> Iterator[Assignment]:
    """Yield, in order, each name in *text* that has a word for a secret in it, with its value.

    No value has a blank in it but, with *blanks*, one in quotes.
    """
    position, small = 0, folded(text)
    while (word := _SECRET_WORD.search(small, position)) is not None:
        start = _name_start(text, word.start(), position)
        in_braces = text.endswith("${", 0, start)
        rest = _REST_OF_PARAMETER if in_braces else _REST_OF_NAME
        end = rest.match(text, word.end()).end()  # type: ignore[union-attr]
        position = end
        value = _value_after(text, start, end, in_braces, blanks)
        if value is not None and end - start <= _LONGEST_NAME:
            position = value.end
            yield Assignment(_trimmed(text, start, end), value)


def _name_start(text: str, start: int, floor: int) -> int:
    floor = max(floor, start - _LONGEST_NAME)
    while start > floor and text[start - 1] in _NAME_CHARS:
        start -= 1
    return start


def _value_after(text: str, start: int, end: int, in_braces: bool, blanks: bool) -> Span | None:
    """Return the span of the value that follows the name at *start* to *end*; None without one."""
    if in_braces:
        separator = _DEFAULT.match(text, end)
    elif text.endswith("$", 0, start):
        return None
    elif text.startswith("-", start):
        separator = _OPTION.match(text, end)
    else:
        separator = _ASSIGN.match(text, end)
        if separator is None and text.endswith("setenv ", 0, start):
            separator = _SETENV.match(text, end)
    return _literal_at(text, separator.end(), blanks) if separator else None


def _literal_at(text: str, position: int, blanks: bool) -> Span | None:
    opening = _OPEN.match(text, position)
    if opening is None:
        return None
    quoted = opening["quote"] and not opening["default"]
    in_quotes = _QUOTED_WORDS if blanks else _QUOTED
    literal = (in_quotes if quoted else _BARE).match(text, opening.end())
    if literal is None or len(literal.group()) == _LONGEST_VALUE or text.startswith("(", literal.end()):
        return None
    stop = literal.end() if quoted else literal.start() + len(literal.group().rstrip(".:"))
    return Span(literal.start(), stop) if stop > literal.start() else None


def _trimmed(text: str, start: int, end: int) -> Span:
    """Leave out the hyphens before an option's name and dots at either end."""
    name = text[start:end]
    return Span(start + len(name) - len(name.lstrip("-.")), end - len(name) + len(name.rstrip("-.")))
