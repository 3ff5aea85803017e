"""Writing words so that bash reads them as they are."""

from __future__ import annotations

import re
import unicodedata

from sbatchlint.regex import regex

_PLAIN = regex(r"[A-Za-z0-9_@%+=:,./-]+")
_IN_DOUBLE = regex(r"[$`\"\\!]")
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_NAMED = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\\": r"\\", "'": r"\'"}


def quoted(text: str) -> str:
    """Return a shell word that stands for *text*, on one line, with every invisible character spelt out.

    Bytes that are not UTF-8 are lone surrogates in *text*, as Python gets them from the command line.
    """
    if _PLAIN.fullmatch(text):
        return text
    if any(_is_hidden(char) for char in text):
        return "$'" + "".join(map(_spelt, text)) + "'"
    if "'" in text and not _IN_DOUBLE.search(text):
        return f'"{text}"'
    return single_quoted(text)


def single_quoted(text: str) -> str:
    """Return *text* between single quotes, which may hold line ends."""
    return "'" + text.replace("'", "'\\''") + "'"


def in_double_quotes(text: str) -> str:
    """Return *text* as it is written between double quotes."""
    return re.sub(r"([$`\"\\])", r"\\\1", text)


def _is_hidden(char: str) -> bool:
    space = unicodedata.category(char) == "Zs" and char != " "
    return space or unicodedata.category(char) in _HIDDEN


def _spelt(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if not _is_hidden(char):
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
