"""Rows of the plan: a label at the left, and as many lines behind it as its text needs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from sbatchlint.lint.finding import Severity
from sbatchlint.report.plan_layout import wrapped
from sbatchlint.report.plan_words import Word
from sbatchlint.report.style import Style

INDENT = 4
LABEL = 13
"""Columns of the label, with the blank behind it."""
_HANG = 2
_NARROWEST = 40


def folded(text: str, width: int) -> list[str]:
    """Break *text* at its blanks into lines of *width* columns, as far as it has any."""
    hang = " " * _HANG
    return textwrap.wrap(
        text, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False
    ) or [""]


class Rows:
    """Writes rows for one place and width."""

    def __init__(self, style: Style, width: int) -> None:
        self.style = style
        self.room = max(width - INDENT - LABEL, _NARROWEST)
        """Columns behind the label."""

    def row(self, label: str, *lines: str) -> Iterator[str]:
        """Write *lines*, which are ready to be sent, the first of them behind *label*."""
        for number, line in enumerate(lines):
            head = f"{'' if number else label:{LABEL - 1}}"
            yield f"{'':{INDENT}}{self.style.faint(head) if head.strip() else head} {line}"

    def text(self, label: str, text: str, paint: Callable[[str], str] = str) -> Iterator[str]:
        """Write *text*, broken at its blanks where it is too long; *paint* colours each line."""
        yield from self.row(label, *map(paint, folded(text, self.room)))

    def words(self, label: str, words: Sequence[Word], *, end: str = "") -> Iterator[str]:
        """Write *words* in as many lines as they need; *end* is put behind all of those but the last."""
        first, *rest = wrapped(words, self.room - _HANG, self.style, end=end)
        hang = " " * _HANG if end else ""
        yield from self.row(label, first, *(hang + line for line in rest))

    def marks(self, marks: Sequence[str]) -> str:
        """Return *marks* in brackets, with a blank before each."""
        return "".join(" " + self.style.severity(Severity.WARNING, f"[{mark}]") for mark in marks)
