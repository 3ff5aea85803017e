"""``sed 's/a/b/'`` with plain words on both sides."""

from __future__ import annotations

from collections.abc import Callable

from sbatchlint.regex import regex

_SUBSTITUTION = regex(
    r"s(?P<mark>[/|,#:@!~%])"
    r"(?P<old>(?:(?!(?P=mark)).)+)(?P=mark)(?P<new>(?:(?!(?P=mark)).)*)(?P=mark)(?P<flag>g?)"
)
_PLAIN = regex(r"(?:[^\\.*\[\]^$&\n]|\\\.)+")
_SPECIAL_IN_EXTENDED = frozenset("+?(){}|")


def replacement(script: str, *, extended: bool) -> Callable[[str], str] | None:
    """What the script does to every line of a text; None where it is more than to replace a plain word.

    *extended*: read as ``sed -E`` reads it.
    """
    match = _SUBSTITUTION.fullmatch(script)
    if match is None:
        return None
    if "\\" in match["new"] or "&" in match["new"] or not _PLAIN.fullmatch(match["old"]):
        return None
    if extended and set(match["old"]) & _SPECIAL_IN_EXTENDED:
        return None
    old, new = match["old"].replace("\\.", "."), match["new"]
    if not (old + new).isascii() or not (old + new).isprintable():
        return None
    most = -1 if match["flag"] else 1
    return lambda text: "\n".join(line.replace(old, new, most) for line in text.split("\n"))
