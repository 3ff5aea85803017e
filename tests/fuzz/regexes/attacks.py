"""Texts on which a backtracking matcher takes long: what a repetition repeats, many times, and no end."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as parser
else:
    import sre_constants as sre
    import sre_parse as parser

_REPEATS = tuple(
    getattr(sre, name) for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") if hasattr(sre, name)
)
_MANY = 50
"""A repetition that ends before is none."""
_CATEGORIES = {
    sre.CATEGORY_DIGIT: "0", sre.CATEGORY_NOT_DIGIT: "a", sre.CATEGORY_SPACE: " ",
    sre.CATEGORY_NOT_SPACE: "a", sre.CATEGORY_WORD: "a", sre.CATEGORY_NOT_WORD: "-",
}  # fmt: skip
_OFTEN = "a0 \t\n_-./\\'\"$=:,#A[({<"
"""Characters that most sets hold some of."""
_ENDS = ("", "\0", "\n", "!\0")


@dataclass(frozen=True, slots=True)
class Attack:
    """``before`` once, ``pumped`` as often as wanted, ``after`` once."""

    before: str
    pumped: str
    after: str

    def text(self, size: int) -> str:
        """Return a text of about *size* characters."""
        return self.before + self.pumped * (size // len(self.pumped)) + self.after


def attacks(pattern: str | bytes, flags: int, at_start: bool) -> Iterator[Attack]:
    """Yield the attacks on *pattern*, each once."""
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    tree: list[Any] = [*parser.parse(text, flags & ~re.UNICODE)]  # type: ignore[misc]
    pumps = list(_pumps(tree, ""))
    chars = sorted({char for _, body in pumps for char in body} | set(_sampled_chars(tree)))
    seen: set[Attack] = set()
    for before, body in pumps:
        for pumped in dict.fromkeys((body, *(char for char in chars if len(chars) < 12), *_OFTEN[:4])):
            starts = dict.fromkeys((before, "") if not at_start else (before,))
            for start in starts:
                for after in _ENDS:
                    attack = Attack(start, pumped, after)
                    if pumped and attack not in seen:
                        seen.add(attack)
                        yield attack
        whole = Attack("", before + body, "\0")
        if not at_start and whole.pumped and whole not in seen:
            seen.add(whole)
            yield whole


def _pumps(items: list[Any], before: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each repetition, and one thing that it repeats."""
    for kind, value in items:
        if kind in _REPEATS:
            _, most, body = value
            if most >= _MANY:
                yield before, _sample(list(body)) or "a"
                for char in dict.fromkeys(_sampled_chars(list(body))):
                    yield before, char
            yield from _pumps(list(body), before)
        elif kind is sre.BRANCH:
            for branch in value[1]:
                yield from _pumps(list(branch), before)
        elif kind is sre.SUBPATTERN:
            yield from _pumps(list(value[-1]), before)
        elif kind in (sre.ASSERT, sre.ASSERT_NOT):
            if value[0] > 0:
                yield from _pumps(list(value[1]), before)
        elif hasattr(sre, "ATOMIC_GROUP") and kind is sre.ATOMIC_GROUP:
            yield from _pumps(list(value), before)
        before += _sample([(kind, value)])


def _sample(items: list[Any]) -> str:
    """Return a text that *items* match, as far as that can be told without trying."""
    return "".join(_one(kind, value) for kind, value in items)


def _one(kind: Any, value: Any) -> str:
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.NOT_LITERAL:
        return next(char for char in _OFTEN if ord(char) != value)
    if kind is sre.ANY:
        return "a"
    if kind is sre.IN:
        return next(iter(_members(value)), "a")
    if kind in _REPEATS:
        least, most, body = value
        return _sample(list(body)) * int(least or min(most, 1))
    if kind is sre.BRANCH:
        return _sample(list(value[1][0]))
    if kind is sre.SUBPATTERN:
        return _sample(list(value[-1]))
    if hasattr(sre, "ATOMIC_GROUP") and kind is sre.ATOMIC_GROUP:
        return _sample(list(value))
    return _sample(list(value[1])) if kind is sre.ASSERT and value[0] > 0 else ""


def _members(members: list[Any]) -> list[str]:
    """Return some characters of a set."""
    negated = bool(members) and members[0][0] is sre.NEGATE
    found: list[str] = []
    for kind, value in members:
        if kind is sre.LITERAL:
            found.append(chr(value))
        elif kind is sre.RANGE:
            found.append(chr(value[0]))
            found += [char for char in _OFTEN if value[0] <= ord(char) <= value[1]]
        elif kind is sre.CATEGORY:
            found.append(_CATEGORIES[value])
    if not negated:
        return found
    taken = {value for kind, value in members if kind is sre.LITERAL}
    classes = {_CATEGORIES[value] for kind, value in members if kind is sre.CATEGORY}
    out = "\t\n " if " " in classes else ""
    return [char for char in _OFTEN if ord(char) not in taken and char not in classes and char not in out]


def _sampled_chars(items: list[Any]) -> Iterator[str]:
    """Yield characters that some part of *items* matches."""
    for kind, value in items:
        if kind is sre.LITERAL:
            yield chr(value)
        elif kind is sre.IN:
            yield from _members(value)[:4]
        elif kind in (sre.ANY, sre.NOT_LITERAL):
            yield _one(kind, value)
        elif kind in _REPEATS:
            yield from _sampled_chars(list(value[2]))
        elif kind is sre.BRANCH:
            for branch in value[1]:
                yield from _sampled_chars(list(branch))
        elif kind is sre.SUBPATTERN:
            yield from _sampled_chars(list(value[-1]))
