"""Shell patterns (bash's Pattern Matching) as regular expressions, for texts that are known."""

from __future__ import annotations

import re
from functools import lru_cache

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


@lru_cache(maxsize=512)
def compile_pattern(pattern: Pattern) -> re.Pattern[str] | None:
    """Translate *pattern*; None where it holds what is not supported (extended globs).

    What stands between two stars is taken where it is found first and never looked for again, so that
    matching takes no longer than the text is long.  Only what follows the last star is looked for from
    the end, which makes a match that may end early the longest one.
    """
    between: list[str] = [""]
    for text, quoted in pattern:
        pieces = [re.escape(text)] if quoted else _translate(text)
        if pieces is None:
            return None
        between[-1] += pieces[0]
        between += pieces[1:]
    head, *rest = between
    middle = [
        f"(?=(?P<m{number}>.*?{piece}))(?P=m{number})" for number, piece in enumerate(rest[:-1]) if piece
    ]
    try:
        return re.compile(head + "".join(middle) + (".*" + rest[-1] if rest else ""), re.S)
    except re.error:
        return None


def has_star(regex: re.Pattern[str]) -> bool:
    """Tell whether a translated pattern matches texts of any length."""
    return ".*" in regex.pattern


def _translate(text: str) -> list[str] | None:
    """Translate what stands between the stars of a bare pattern."""
    out: list[str] = [""]
    at = 0
    while at < len(text):
        char = text[at]
        if text[at + 1 : at + 2] == "(" and char in "?*+@!":
            return None
        if char == "*":
            out.append("")
        elif char == "?":
            out[-1] += "."
        elif char == "[":
            at, bracket = _bracket(text, at)
            out[-1] += bracket
            continue
        elif char == "\\" and at + 1 < len(text):
            at += 1
            out[-1] += re.escape(text[at])
        else:
            out[-1] += re.escape(char)
        at += 1
    return out


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
