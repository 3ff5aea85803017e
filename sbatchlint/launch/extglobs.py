"""Extended globs: ``?(a|b)``, ``*(...)``, ``+(...)``, ``@(...)``, ``!(...)`` (bash(1), Pattern Matching)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Union

from sbatchlint.launch.patterns import Pattern, one_character
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_KINDS = "?*+@!"
_GROUP = regex(rf"[{re.escape(_KINDS)}]\(")
_MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class _Single:
    """What matches one character."""

    regex: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Star:
    """``*``: any text."""


@dataclass(frozen=True, slots=True)
class _Group:
    """One of the five kinds of group, by the character before its parenthesis."""

    kind: str
    options: tuple[_Parts, ...]


_Parts = tuple[Union[_Single, _Star, _Group], ...]  # noqa: UP007 - a union of names not yet defined
_Chars = tuple[tuple[str, bool], ...]
"""Characters of a pattern, each with whether it stands for itself."""


@dataclass(frozen=True, slots=True)
class Extended:
    """A pattern with extended globs, held against texts of a bounded length."""

    parts: _Parts

    @property
    def widths(self) -> None:
        """Not told: a group may match texts of many lengths."""
        return None

    @property
    def most(self) -> int:
        """The longest text that it is held against: the time grows faster than the length."""
        return _MOST_CHARACTERS

    def full(self, text: str, start: int = 0, end: int | None = None) -> bool:
        """Tell whether *text* from *start* to *end* matches as a whole."""
        held = text[start:end]
        return len(held) in _ends(self.parts, held, {0})

    def front(self, text: str, start: int = 0) -> int | None:
        """Where the longest match that begins at *start* ends."""
        return max(_ends(self.parts, text, {start}), default=None)


def is_extended(pattern: Pattern) -> bool:
    """Tell whether *pattern* has a group, if extended globs are switched on."""
    return any(not quoted and _GROUP.search(text) for text, quoted in pattern)


@lru_cache(maxsize=256)
def extended_glob(pattern: Pattern) -> Extended | None:
    """Read *pattern*; None where a group is not closed."""
    chars = tuple((char, quoted) for text, quoted in pattern for char in text)
    try:
        parts, at = _read(chars, 0, inside=False)
    except (IndexError, RecursionError, re.error):
        return None
    return Extended(parts[0]) if at == len(chars) else None


def _read(chars: _Chars, at: int, *, inside: bool) -> tuple[tuple[_Parts, ...], int]:
    """Read alternatives up to the parenthesis that closes them, or one pattern up to the end."""
    options: list[list[_Single | _Star | _Group]] = [[]]
    while inside or at < len(chars):
        char, quoted = chars[at]
        if quoted:
            options[-1].append(_Single(re.compile(re.escape(char))))
            at += 1
        elif char in _KINDS and at + 1 < len(chars) and chars[at + 1] == ("(", False):
            found, at = _read(chars, at + 2, inside=True)
            options[-1].append(_Group(char, found))
        elif inside and char == "|":
            options.append([])
            at += 1
        elif inside and char == ")":
            return tuple(map(tuple, options)), at + 1
        elif char == "*":
            options[-1].append(_Star())
            at += 1
        else:
            size, single = one_character(_bare(chars, at), 0)
            options[-1].append(_Single(re.compile(single, re.S)))
            at += size
    return tuple(map(tuple, options)), at


def _bare(chars: _Chars, at: int) -> str:
    """What follows up to the next quoted character."""
    end = next((index for index in range(at, len(chars)) if chars[index][1]), len(chars))
    return "".join(char for char, _ in chars[at:end])


def _ends(parts: _Parts, text: str, starts: set[int]) -> set[int]:
    """Where matches of *parts* may end that begin at one of *starts*."""
    for part in parts:
        if not starts:
            break
        if isinstance(part, _Star):
            starts = set(range(min(starts), len(text) + 1))
        elif isinstance(part, _Single):
            starts = {at + 1 for at in starts if at < len(text) and part.regex.fullmatch(text[at])}
        else:
            starts = _group_ends(part, text, starts)
    return starts


def _group_ends(group: _Group, text: str, starts: set[int]) -> set[int]:
    if group.kind == "!":
        return {
            end
            for start in starts
            for end in set(range(start, len(text) + 1)) - _one_of(group.options, text, {start})
        }
    found = _one_of(group.options, text, starts)
    if group.kind in "*+":
        new = found
        while new:
            new = _one_of(group.options, text, new) - found
            found = found | new
    return found | starts if group.kind in "?*" else found


def _one_of(options: tuple[_Parts, ...], text: str, starts: set[int]) -> set[int]:
    return {end for option in options for end in _ends(option, text, starts)}
