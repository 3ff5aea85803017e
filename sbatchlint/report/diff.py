"""What fixing would change, as a patch that can be looked at safely."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.fix.diff import unified_diff
from sbatchlint.regex import regex
from sbatchlint.report.cells import shown
from sbatchlint.report.mask import Mask
from sbatchlint.report.style import PLAIN, Style
from sbatchlint.source import Source

_IN_NAMES = regex("[\0-\x1f\x7f]")
"""What would end the line of a file's name, or look odd in it; ``patch`` could not read that."""


def diff(before: Source, after: Source, mask: Mask, style: Style = PLAIN, *, terminal: bool = False) -> str:
    """Return the patch from *before* to *after*, secrets hidden; empty if they are the same.

    On a *terminal*, and with colours, which are meant for one, everything that cannot be seen is escaped.
    Elsewhere such characters, and bytes that are not UTF-8 (as lone surrogates), are left as they are, so
    that ``patch`` makes of the file what ``--fix`` does.
    """
    lines = unified_diff(before, after)
    return "".join(f"{painted}\n" for painted in _painted(lines, mask, style, terminal or style.colour))


def _painted(lines: Iterator[str], mask: Mask, style: Style, terminal: bool) -> Iterator[str]:
    for number, line in enumerate(lines):
        text = mask.text(line)
        if terminal:
            text = "\t".join(map(shown, text.split("\t")))
        if number < 2:
            yield style.strong(_IN_NAMES.sub(lambda match: shown(match.group()), text))
        elif line.startswith("@@"):
            yield style.frame(text)
        elif line.startswith("+"):
            yield style.good(text)
        elif line.startswith("-"):
            yield style.bad(text)
        else:
            yield text
