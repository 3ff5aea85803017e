"""Which unreadable parts of a script are causes, and which only follow from one before them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sbatchlint.regex import regex
from sbatchlint.shell.syntax import NOT_UNDERSTOOD, Unparsed
from sbatchlint.source import Source, Span

PLACEHOLDER = regex(r"<[A-Za-z][^<>\n|&;()]*(?<!\s)>(?![\w&(])")
"""A value to fill in (``<options>``) among words that a shell reads."""
_LOOSE_END = regex(
    r"(?:do|done|then|else|elif|fi|esac)\b(?!=)|;;|[)}]"
    r"|.*(?:\b(?:do|then|in)|\{|;;|[^()]\))\s*\Z",
    re.DOTALL,
)
"""What a compound command leaves behind that could not be read as a whole: the lines of its keywords."""


def placeholder_beside(source: Source, span: Span) -> Span | None:
    """The first placeholder (``<options>``) on the lines of *span* that touches it; None where none does."""
    start = source.line_around(span.start).start
    for found in PLACEHOLDER.finditer(source.text, start, max(span.end, span.start + 1)):
        if found.end() > span.start:
            return Span(*found.span())
    return None


def causes(source: Source, parts: Sequence[Unparsed]) -> list[Unparsed]:
    """Leave out of the unreadable parts of a script what is unreadable only because of another.

    Where a quote without an end swallows the rest of a compound command, its loose ends go.  A compound
    command that is wrong somewhere inside comes in pieces; of these the first stands for all, since bash
    gives up at one place only.
    """
    salvaged = [part for part in parts if part.reason == NOT_UNDERSTOOD]
    if any(part.reason.startswith("unterminated") for part in parts):
        return [part for part in parts if part.reason != NOT_UNDERSTOOD]
    if not any(_LOOSE_END.match(source.slice(part.span)) for part in salvaged[1:]):
        return list(parts)
    return [
        part
        for part in parts
        if part.reason != NOT_UNDERSTOOD
        or part is salvaged[0]
        or placeholder_beside(source, part.span) is not None
    ]


__all__ = ["PLACEHOLDER", "causes", "placeholder_beside"]
