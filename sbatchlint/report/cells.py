"""Text as a terminal shows it: how wide each character is, and what stands for those that must not be sent.

A script's text can hold escape sequences, direction overrides and look-alike blanks.  None of them
ever reaches the terminal: each is shown as the escape that a programmer would write for it.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

TAB_WIDTH = 4

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
_ZERO_WIDTH = frozenset({"Mn", "Me"})
_NAMED = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


class Cell(NamedTuple):
    """One character of the source: what is sent for it and how many columns that takes."""

    text: str
    width: int


def shown(text: str) -> str:
    """Return *text* fit for one line of a terminal, with tabs and line ends escaped too."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) or char for char in text)


def shown_text(text: str) -> str:
    """Return *text* of several lines fit for a terminal; its line ends and tabs stay."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "\n".join("\t".join(map(shown, line.split("\t"))) for line in text.split("\n"))


def cells(line: str) -> list[Cell]:
    """Return a cell for each character of *line*, tabs as blanks up to the next stop."""
    row: list[Cell] = []
    column = 0
    for char in line:
        cell = _cell(char, column)
        row.append(cell)
        column += cell.width
    return row


def _cell(char: str, column: int) -> Cell:
    if char == "\t":
        width = TAB_WIDTH - column % TAB_WIDTH
        return Cell(" " * width, width)
    escape = _escape(char)
    if escape is not None:
        return Cell(escape, len(escape))
    return Cell(char, _width(char))


def _width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in _ZERO_WIDTH or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _escape(char: str) -> str | None:
    """Return what is shown for *char*, or ``None`` if it may be shown as it is."""
    if char == " " or (char.isascii() and char.isprintable()):
        return None
    if unicodedata.category(char) not in _HIDDEN_CATEGORIES:
        return None
    point = ord(char)
    if char in _NAMED:
        return _NAMED[char]
    if 0xDC80 <= point <= 0xDCFF:  # an undecodable byte, as Source keeps it
        return f"\\x{point - 0xDC00:02x}"
    if point < 0x20 or point == 0x7F:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
