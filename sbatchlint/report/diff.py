"""What fixing would change, as a patch that can be looked at safely."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.fix.diff import unified_diff
from sbatchlint.report.cells import shown
from sbatchlint.report.mask import Mask
from sbatchlint.report.style import PLAIN, Style
from sbatchlint.source import Source

_OBEYED = re.compile("[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What a terminal acts upon; a tab is wanted, and a carriage return that ends the line is put back."""


def diff(before: Source, after: Source, mask: Mask, style: Style = PLAIN, *, terminal: bool = False) -> str:
    """Return the patch from *before* to *after*, secrets hidden; empty if they are the same.

    Control characters are escaped wherever the text goes.  On a *terminal* everything else that cannot
    be seen is, too; elsewhere such characters, and bytes that are not UTF-8 (as lone surrogates), are
    left as they are, for ``patch``.
    """
    lines = unified_diff(before, after)
    return "".join(f"{painted}\n" for painted in _painted(lines, mask, style, terminal))


def _painted(lines: Iterator[str], mask: Mask, style: Style, terminal: bool) -> Iterator[str]:
    for number, line in enumerate(lines):
        text = _visible(mask.text(line), terminal)
        if number < 2:
            yield style.strong(text)
        elif line.startswith("@@"):
            yield style.frame(text)
        elif line.startswith("+"):
            yield style.good(text)
        elif line.startswith("-"):
            yield style.bad(text)
        else:
            yield text


def _visible(line: str, terminal: bool) -> str:
    if terminal:
        return "\t".join(map(shown, line.split("\t")))
    body = line.removesuffix("\r")
    return _OBEYED.sub(lambda match: shown(match.group()), body) + line[len(body) :]
