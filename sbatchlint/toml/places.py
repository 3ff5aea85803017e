"""Where in a TOML text each key and value stands.

The text has been read by a TOML parser before, so this reader need not judge it: it follows the
structure (headers, keys, strings, arrays, inline tables) and notes places.
"""

from __future__ import annotations

import re

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

Path = tuple[str | int, ...]
"""Keys and indices from the top: ``("partitions", 0, "max-time")``."""

_BLANK = regex(r"(?:[ \t\n]|#[^\n]*)*")
_KEY = regex(r'"((?:[^"\\\n]|\\.)*)"|\'([^\'\n]*)\'|([A-Za-z0-9_-]+)')
_STRINGS = (
    regex(r'"""(?:[^\\]|\\.)*?"""(?:"{1,2})?', re.DOTALL),
    regex(r"'''.*?'''(?:'{1,2})?", re.DOTALL),
    regex(r'"(?:[^"\\\n]|\\.)*"'),
    regex(r"'[^'\n]*'"),
)
_PLAIN = regex(r"[^,\]}\n#]*")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a key stands, and its value; for an element of an array both are the element."""

    key: Span
    value: Span


def places(text: str) -> dict[Path, Place]:
    """Return the place of every key, table and element of the TOML *text*."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._found: dict[Path, Place] = {}
        self._tables: dict[Path, int] = {}
        """How many tables each array of tables has so far."""

    def read(self) -> dict[Path, Place]:
        table: Path = ()
        while True:
            self._skip_blank()
            if self._at >= len(self._text):
                return self._found
            table = self._header() if self._text[self._at] == "[" else self._pair(table)

    def _header(self) -> Path:
        start = self._at
        repeated = self._text.startswith("[[", start)
        self._at += 2 if repeated else 1
        keys = self._keys()
        self._at += 2 if repeated else 1
        span = Span(start, self._at)
        path: Path = ()
        for number, (key, _) in enumerate(keys):
            path = (*path, key)
            last = number == len(keys) - 1
            if last and repeated:
                self._tables[path] = self._tables.get(path, 0) + 1
            self._found.setdefault(path, Place(span, span))
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
                self._found.setdefault(path, Place(span, span))
        return path

    def _pair(self, table: Path) -> Path:
        """Read ``key = value`` of *table*, and return it for the lines that follow."""
        keys = self._keys()
        path = table
        for key, span in keys:
            path = (*path, key)
            self._found.setdefault(path, Place(span, span))
        self._skip_blank()
        self._at += 1  # the equals sign
        self._skip_blank()
        start = self._at
        self._value(path)
        self._found[path] = Place(keys[-1][1], Span(start, self._at))
        return table

    def _keys(self) -> list[tuple[str, Span]]:
        keys: list[tuple[str, Span]] = []
        while True:
            self._skip_blank()
            match = _KEY.match(self._text, self._at)
            if match is None:  # cannot be in a text that a parser took; end rather than turn for ever
                self._at = len(self._text)
                return keys or [("", Span(self._at, self._at))]
            self._at = match.end()
            keys.append((match[1] or match[2] or match[3] or "", Span(*match.span())))
            self._skip_blank()
            if self._text[self._at : self._at + 1] != ".":
                return keys
            self._at += 1

    def _value(self, path: Path) -> None:
        opening = self._text[self._at : self._at + 1]
        if opening == "[":
            self._array(path)
        elif opening == "{":
            self._inline_table(path)
        else:
            patterns = _STRINGS if opening in ("'", '"') else (_PLAIN,)
            match = next(filter(None, (pattern.match(self._text, self._at) for pattern in patterns)), None)
            self._at = len(self._text) if match is None else self._at + len(match[0].rstrip())

    def _array(self, path: Path) -> None:
        self._at += 1
        number = 0
        while not self._closes("]"):
            start = self._at
            self._value((*path, number))
            span = Span(start, self._at)
            self._found[path + (number,)] = Place(span, span)  # noqa: RUF005
            number += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        while not self._closes("}"):
            self._pair(path)

    def _closes(self, bracket: str) -> bool:
        """Go over blanks and commas; tell whether *bracket* (or the end) comes, and pass it."""
        self._skip_blank()
        while self._text[self._at : self._at + 1] == ",":
            self._at += 1
            self._skip_blank()
        if self._at >= len(self._text) or self._text[self._at] == bracket:
            self._at = min(self._at + 1, len(self._text))
            return True
        return False

    def _skip_blank(self) -> None:
        match = _BLANK.match(self._text, self._at)
        self._at = match.end() if match else self._at
