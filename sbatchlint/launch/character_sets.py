"""The sets of characters that ``tr`` takes, and what it does with them."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence

from sbatchlint.regex import regex

_CLASSES = {
    "[:upper:]": string.ascii_uppercase,
    "[:lower:]": string.ascii_lowercase,
    "[:alpha:]": string.ascii_letters,
    "[:digit:]": string.digits,
    "[:alnum:]": string.digits + string.ascii_letters,
    "[:space:]": " \t\n\v\f\r",
    "[:blank:]": " \t",
    "[:punct:]": string.punctuation,
}
_CASES = ("[:upper:]", "[:lower:]")
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}
_PIECE = regex(r"\\.|(?P<range>[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9])|.", re.S)


def characters(letters: str, sets: Sequence[str]) -> Callable[[str], str] | None:
    """What ``tr`` with the options *letters*, in order, does to a text; None where that is not known."""
    read = [_read(text) for text in sets]
    known = [each for each in read if each is not None]
    if len(known) < len(sets) or not all(known):
        return None
    if letters in ("d", "cd") and len(known) == 1:
        return lambda text: "".join(char for char in text if (char in known[0]) == (letters == "cd"))
    if letters == "s" and len(known) == 1:
        return lambda text: _squeezed(text, known[0])
    classes = [text for text in sets if text in _CLASSES]
    if letters not in ("", "s") or len(known) != 2 or (classes and not all(t in _CASES for t in sets)):
        return None
    if len(classes) == 2 and sets[0] == sets[1]:
        return None
    source, target = known
    table = {ord(char): target[min(index, len(target) - 1)] for index, char in enumerate(source)}
    if letters == "s":
        return lambda text: _squeezed(text.translate(table), target)
    return lambda text: text.translate(table)


def _squeezed(text: str, of: str) -> str:
    kept = [char for index, char in enumerate(text) if not (index and char in of and text[index - 1] == char)]
    return "".join(kept)


def _read(text: str) -> str | None:
    """The characters of a set in order; None for one whose meaning is not plain."""
    if text in _CLASSES:
        return _CLASSES[text]
    if not text.isascii() or not text.replace("\n", "").isprintable() or set(text) & set("[]"):
        return None
    found = ""
    pieces = list(_PIECE.finditer(text))
    for index, match in enumerate(pieces):
        piece = match.group()
        if match["range"]:
            if piece[0] > piece[2]:
                return None
            found += "".join(map(chr, range(ord(piece[0]), ord(piece[2]) + 1)))
        elif piece[0] == "\\":
            if piece not in _ESCAPES:
                return None
            found += _ESCAPES[piece]
        elif piece == "-" and 0 < index < len(pieces) - 1:
            return None  # a range of another kind
        else:
            found += piece
    return found
