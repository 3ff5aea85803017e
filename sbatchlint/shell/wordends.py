"""Where a word ends, and the words of an array's ``( ... )``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.regex import regex
from sbatchlint.shell import quoting
from sbatchlint.shell.quoting import Excess, Unterminated
from sbatchlint.source import Span

METACHARACTERS = frozenset(" \t\n;&|<>()")
_PLAIN = regex(r"[A-Za-z0-9_./=:,%^{}~\]-]+|[^\s;&|<>()\\'\"`$\[#!?*+@A-Za-z0-9_./=:,%^{}~\]-]+")
_CONTINUATIONS = regex(r"(?:\\\n)+")
_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT_HEAD = regex(r"[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\+?=", re.S)
_BETWEEN_ELEMENTS = regex(r"(?:[ \t\n]|\\\n|#[^\n]*)+")


def end_of_word(
    text: str,
    start: int,
    stop: int,
    *,
    assignable: bool = False,
    first: bool = False,
    element: bool = False,
    pattern: bool = True,
) -> int:
    """Give the offset just behind the word that begins at *start*; *start* itself if none does.

    *assignable*: ``name[`` reads to its ``]``, blanks and all.  *first*: a command can begin here, so
    ``!(`` negates a subshell.  *element*: in an array's list, ``[`` reads to its ``]``.
    *pattern*: ``?( *( +( @( !(`` are read to their ``)``.
    """
    at = start
    while at < stop:
        plain = _PLAIN.match(text, at, stop)
        if plain:
            at = plain.end()
            continue
        char = text[at]
        if char in METACHARACTERS:
            end = _past_metacharacter(text, start, at, stop, first=first, pattern=pattern)
            if end is None:
                return at
            at = end
        elif char == "\\":
            if text.startswith("\n", at + 1, stop):
                joined = _CONTINUATIONS.match(text, at, stop)
                behind = joined.end() if joined else at + 2
                if behind >= stop or text[behind] in METACHARACTERS:
                    return at
                at = behind
            else:
                at = min(at + 2, stop)
        elif char == "[" and _takes_subscript(text, start, at, assignable=assignable, element=element):
            at = quoting.end_of_subscript(text, at, stop)
        elif char in "'\"`$":
            at = quoting.end_of_quoted(text, at, stop)
        else:
            at += 1
    return at


def _takes_subscript(text: str, start: int, at: int, *, assignable: bool, element: bool) -> bool:
    if element:
        return at == start
    return assignable and at > start and _NAME.fullmatch(text, start, at) is not None


def _past_metacharacter(
    text: str, start: int, at: int, stop: int, *, first: bool, pattern: bool
) -> int | None:
    """Pass what continues a word although it begins with a metacharacter; None where the word ends."""
    char = text[at]
    if char in "<>" and text.startswith("(", at + 1, stop):
        return quoting.end_of_parenthesis(text, at + 1, stop)
    if char != "(" or at == start:
        return None
    before = text[at - 1]
    if before == "=" and _ASSIGNMENT_HEAD.fullmatch(text, start, at):
        return end_of_array(text, at, stop)
    if pattern and before in "?*+@!" and not text.startswith(")", at + 1, stop):
        negates = first and before == "!" and at - 1 == start
        return None if negates else quoting.end_of_matched(text, at, stop)
    return None


def array_elements(text: str, start: int, stop: int) -> Iterator[Span]:
    """Give the words from *start* on, up to a ``)`` or *stop*; nothing is reserved among them."""
    at = start
    while True:
        between = _BETWEEN_ELEMENTS.match(text, at, stop)
        at = between.end() if between else at
        if at >= stop or text[at] == ")":
            return
        end = end_of_word(text, at, stop, element=True)
        if end == at:  # an operator: no valid array, but its end is still to be found
            end = quoting.end_of_matched(text, at, stop) if text[at] == "(" else at + 1
        yield Span(at, end)
        at = end


_MOST_ELEMENTS = 100_000


def end_of_array(text: str, start: int, stop: int) -> int:
    """End of ``( ... )`` behind ``name=``."""
    at = start + 1
    for count, span in enumerate(array_elements(text, at, stop)):
        if count >= _MOST_ELEMENTS:
            raise Excess(start, f"an array of more than {_MOST_ELEMENTS} elements")
        at = span.end
    between = _BETWEEN_ELEMENTS.match(text, at, stop)
    at = between.end() if between else at
    if at >= stop:
        raise Unterminated(start, "(")
    return at + 1
