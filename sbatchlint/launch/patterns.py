"""Shell patterns (bash's Pattern Matching) as regular expressions, for texts that are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from sbatchlint.records import dataclass

_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "xdigit": "0-9A-Fa-f",
    "word": r"\w",
}
Pattern = tuple[tuple[str, bool], ...]
"""Pieces of a pattern's text, each with whether it is quoted (stands for itself)."""
_MOST_CHARACTERS = 50_000
_MOST_WITH_STARS = 4_000


class Glob(Protocol):
    """A pattern that texts can be held against."""

    @property
    def widths(self) -> Sequence[int] | None:
        """How many characters stand before, between and behind its stars; None where that varies."""

    @property
    def most(self) -> int:
        """The longest text that it should be held against."""

    def full(self, text: str, start: int = 0, end: int | None = None) -> bool:
        """Tell whether *text* from *start* to *end* matches as a whole."""

    def front(self, text: str, start: int = 0) -> int | None:
        """Where the longest match that begins at *start* ends."""


@dataclass(frozen=True)
class Plain:
    """A pattern without extended globs, as a regular expression."""

    regex: re.Pattern[str]
    widths: tuple[int, ...]

    @property
    def most(self) -> int:
        """The longest text that it should be held against: stars take the square of the length."""
        return _MOST_CHARACTERS if len(self.widths) == 1 else _MOST_WITH_STARS

    def full(self, text: str, start: int = 0, end: int | None = None) -> bool:
        """Tell whether *text* from *start* to *end* matches as a whole."""
        return self.regex.fullmatch(text, start, len(text) if end is None else end) is not None

    def front(self, text: str, start: int = 0) -> int | None:
        """Where the longest match that begins at *start* ends; greedy stars make it the longest."""
        found = self.regex.match(text, start)
        return found.end() if found else None


@lru_cache(maxsize=512)
def plain_glob(pattern: Pattern, *, fold: bool = False) -> Plain | None:
    """Translate *pattern*; *fold*: letter case makes no difference.

    What stands between two stars is taken where it is found first and never looked for again, so that
    matching takes no longer than the text is long.  Only what follows the last star is looked for from
    the end, which makes a match that may end early the longest one.
    """
    between: list[list[str]] = [[]]
    for text, quoted in pattern:
        pieces = [[re.escape(char) for char in text]] if quoted else _translate(text)
        between[-1] += pieces[0]
        between += pieces[1:]
    widths = tuple(len(piece) for piece in between)
    head, *rest = ("".join(piece) for piece in between)
    middle = [
        f"(?=(?P<m{number}>.*?{piece}))(?P=m{number})" for number, piece in enumerate(rest[:-1]) if piece
    ]
    try:
        flags = re.S | re.I if fold else re.S
        regex = re.compile(head + "".join(middle) + (".*" + rest[-1] if rest else ""), flags)
    except re.error:
        return None
    return Plain(regex, widths)


def _translate(text: str) -> list[list[str]]:
    """Translate what stands between the stars of a bare pattern, character by character."""
    out: list[list[str]] = [[]]
    at = 0
    while at < len(text):
        char = text[at]
        if char == "*":
            out.append([])
            at += 1
        else:
            at, single = one_character(text, at)
            out[-1].append(single)
    return out


def one_character(text: str, at: int) -> tuple[int, str]:
    """Translate what stands for one character in a bare pattern; give where it ends."""
    char = text[at]
    if char == "?":
        return at + 1, "."
    if char == "[":
        return _bracket(text, at)
    if char == "\\" and at + 1 < len(text):
        return at + 2, re.escape(text[at + 1])
    return at + 1, re.escape(char)


def _bracket(text: str, at: int) -> tuple[int, str]:
    """Translate ``[...]``; a ``[`` that is not closed stands for itself."""
    start = at + 1
    negated = text[start : start + 1] in ("!", "^")
    if negated:
        start += 1
    end = text.find("]", start + 1)
    while end > 0 and text.rfind("[:", start, end) > text.rfind(":]", start, end):
        end = text.find("]", end + 1)
    if end < 0:
        return at + 1, re.escape("[")
    body = text[start:end].replace("\\", "\\\\")
    body = re.sub(r"\[:(\w+):\]", lambda match: _CLASSES.get(match.group(1), ""), body)
    body = re.sub(r"[\[^&|~]", lambda match: "\\" + match.group(), body)
    return end + 1, f"[{'^' if negated else ''}{body}]"
