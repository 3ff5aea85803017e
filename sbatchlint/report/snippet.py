"""The source lines that a finding speaks of, underlined and labelled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, groupby

from sbatchlint.lint.finding import Finding
from sbatchlint.records import dataclass
from sbatchlint.report.cells import Cell, cells, shown
from sbatchlint.report.mask import Mask
from sbatchlint.report.style import Style
from sbatchlint.source import Source, Span

MAX_COLUMNS = 160
_CONTEXT = 30
"""Columns shown before a mark on a line that is too long to be shown whole."""
_CUT = "..."


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """An underlined part of one line; *start* and *end* count characters from 0."""

    line: int
    start: int
    end: int
    primary: bool
    label: str


def marks(finding: Finding, mask: Mask) -> list[Mark]:
    """Return the places of *finding* in line order; one that spans lines is shown by its first."""
    places = [_mark(mask, finding.span, finding.label, primary=True)]
    places += [_mark(mask, related.span, related.message, primary=False) for related in finding.related]
    return sorted(set(places))


def gutter_width(places: list[Mark]) -> int:
    """Return the columns that the largest line number needs."""
    return len(str(max(mark.line for mark in places)))


def snippet(source: Source, finding: Finding, places: list[Mark], style: Style) -> Iterator[str]:
    """Yield the lines of the picture, from the first source line to the last label.

    *source* is the masked one.  Lines that do not follow each other are kept apart by an empty one.
    """
    width = gutter_width(places)
    previous = None
    for number, on_line in groupby(places, key=lambda mark: mark.line):
        if previous is not None and number > previous + 1:
            yield gutter(width, style)
        previous = number
        row = cells(source.line(number))
        for group, start, end in _excerpts(row, list(on_line)):
            yield gutter(width, style, str(number)) + f" {_shown_part(row, start, end)}".rstrip()
            for mark in sorted(group, key=lambda mark: (not mark.primary, mark)):
                underline = _underline(row, mark, start, end, finding, style)
                yield f"{gutter(width, style)} {underline}"


def gutter(width: int, style: Style, number: str = "") -> str:
    """Return the frame at the left of a source line; *number* is empty below one."""
    return style.frame(f"{number:>{width}} |")


def _mark(mask: Mask, span: Span, label: str, *, primary: bool) -> Mark:
    source = mask.source
    line, column = source.position(span.start)
    length = len(source.line(line))
    start = column - 1
    end = min(start + len(span), max(length, start))
    return Mark(line, start, end, primary, shown(mask.text(label)))


def _excerpts(row: list[Cell], on_line: list[Mark]) -> Iterator[tuple[list[Mark], int, int]]:
    """Yield marks with the range of characters to show them in: the whole line, if it is short enough."""
    columns = _columns(row)
    if columns[-1] <= MAX_COLUMNS:
        yield on_line, 0, len(row)
        return
    while on_line:
        start, end = _window(columns, on_line[0].start)
        inside = [mark for mark in on_line if mark.start < end]
        yield inside, start, end
        on_line = [mark for mark in on_line if mark.start >= end]


def _window(columns: list[int], mark_start: int) -> tuple[int, int]:
    """Return the range of characters to show around a mark so that :data:`MAX_COLUMNS` are not passed."""
    at = columns[mark_start]
    room = MAX_COLUMNS - 2 * len(_CUT)
    left = max(0, min(at - _CONTEXT, columns[-1] - room))
    start = next(index for index, column in enumerate(columns) if column >= left)
    start = min(start, mark_start)
    fitting = (index for index, column in enumerate(columns) if column <= columns[start] + room)
    return start, max(max(fitting), mark_start + 1)


def _shown_part(row: list[Cell], start: int, end: int) -> str:
    text = "".join(cell.text for cell in row[start:end])
    return f"{_CUT if start else ''}{text}{_CUT if end < len(row) else ''}"


def _underline(row: list[Cell], mark: Mark, start: int, end: int, finding: Finding, style: Style) -> str:
    columns = _columns(row)
    indent = columns[mark.start] - columns[start] + (len(_CUT) if start else 0)
    width = columns[min(mark.end, max(end, mark.start))] - columns[mark.start]
    line = ("^" if mark.primary else "-") * max(width, 1)
    text = f"{line} {mark.label}".rstrip()
    painted = style.severity(finding.severity, text) if mark.primary else style.frame(text)
    return " " * indent + painted


def _columns(row: list[Cell]) -> list[int]:
    """Return the column of each character, and that after the last."""
    return list(accumulate((cell.width for cell in row), initial=0))
