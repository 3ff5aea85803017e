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
def compile_pattern(pattern: Pattern, greedy: bool = True) -> re.Pattern[str] | None:
    """Translate *pattern*; None where it holds what is not supported (extended globs)."""
    out: list[str] = []
    star = ".*" if greedy else ".*?"
    for text, quoted in pattern:
        if quoted:
            out.append(re.escape(text))
            continue
        translated = _translate(text, star)
        if translated is None:
            return None
        out.append(translated)
    try:
        return re.compile("".join(out), re.S)
    except re.error:
        return None


def _translate(text: str, star: str) -> str | None:
    out: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if text[at + 1 : at + 2] == "(" and char in "?*+@!":
            return None
        if char == "*":
            out.append(star)
        elif char == "?":
            out.append(".")
        elif char == "[":
            end, bracket = _bracket(text, at)
            out.append(bracket)
            at = end
            continue
        elif char == "\\" and at + 1 < len(text):
            at += 1
            out.append(re.escape(text[at]))
        else:
            out.append(re.escape(char))
        at += 1
    return "".join(out)


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
