"""``[[ text =~ expression ]]``: extended regular expressions (regex(7)), as far as all read them alike."""

from __future__ import annotations

import re
from itertools import groupby

from sbatchlint.launch.patterns import Pattern, one_character
from sbatchlint.regex import regex

LONGEST_TEXT = 64
_MOST_CHOICES = (8, 8, 8, 4)
"""By the number of long repeats, each of which may multiply the time of a search by the length of the text:
how many things there may be that are there or not, each of which may double it."""
_REPEAT = regex(r"[*+?]|\{\d{1,2}(?:,\d{0,2})?\}")
_META = frozenset(".^$*+?()[]{}|\\")


def regex_of(pattern: Pattern, *, fold: bool = False) -> re.Pattern[str] | None:
    """Translate an extended regular expression whose quoted pieces stand for themselves.

    Gives None for what systems read differently: escaped letters, equivalence classes, repeats of repeats.
    """
    out: list[str] = []
    for quoted, pieces in groupby(pattern, lambda piece: piece[1]):
        text = "".join(text for text, _ in pieces)
        translated = [re.escape(char) for char in text] if quoted else _translate(text)
        if translated is None:
            return None
        out += translated
    if "|" in out[:1] + out[-1:]:
        return None
    if _takes_long(out) or _repeats_twice(out):
        return None
    try:
        return re.compile("".join(out), re.S | (re.I if fold else 0))
    except re.error:
        return None


def _translate(text: str) -> list[str] | None:
    out: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        repeat = _REPEAT.match(text, at)
        if repeat is not None:
            out.append(repeat.group())
            at = repeat.end()
        elif char == "[":
            if re.match(r"\[\^?\]|\[[^]]*(\[[.=]|\\|--)|\[!", text[at:]):
                return None
            at, single = one_character(text, at)
            if single == re.escape("["):
                return None
            out.append(single)
        elif char == "\\":
            if text[at + 1 : at + 2] not in _META or at + 1 == len(text):
                return None
            out.append(text[at : at + 2])
            at += 2
        elif char in "{}" or text.startswith(("()", "(|", "||", "|)"), at):
            return None
        else:
            # Python's own ``$`` matches before a last newline, too.
            out.append({"$": r"\Z", "(": "(?:"}.get(char, char if char in _META else re.escape(char)))
            at += 1
    return out


def _takes_long(pieces: list[str]) -> bool:
    long = sum(piece in ("*", "+") or (piece[0] == "{" and "," in piece) for piece in pieces)
    choices = sum(piece in ("?", "|") for piece in pieces)
    return long >= len(_MOST_CHOICES) or choices > _MOST_CHOICES[long]


def _repeats_twice(pieces: list[str]) -> bool:
    """Tell whether a repeat has nothing before it, follows another, or is of a group with one or a ``|``.

    Such a group may be left out as a whole (``?``): that takes no long time.
    """
    inside = [False]
    closed = False
    before = ""
    for piece in pieces:
        if _REPEAT.fullmatch(piece):
            if before in ("", "(?:", "|", "^", r"\Z") or _REPEAT.fullmatch(before):
                return True
            if before == ")" and closed and piece != "?":
                return True
            inside[-1] = True
        elif piece == "|":
            inside[-1] = True
        elif piece == "(?:":
            inside.append(False)
        elif piece == ")" and len(inside) > 1:
            closed = inside.pop()
            inside[-1] = inside[-1] or closed
        before = piece
    return False


__all__ = ["LONGEST_TEXT", "regex_of"]
