"""Where a place of the old text is found in the new one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from sbatchlint.fix.edit import Edit
from sbatchlint.source import Span


class Shift:
    """The mapping of offsets that a set of edits brings about.

    *edits* are in the order of the text and do not overlap.
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._starts = [edit.span.start for edit in edits]
        self._ends = [edit.span.end for edit in edits]
        growth = [len(edit.text) - len(edit.span) for edit in edits]
        self._grown = [0, *accumulate(growth)]
        self._edits = edits

    def outer(self, span: Span) -> Span:
        """Return the new span with all that was written inside it or at either end of it."""
        return Span(self._first(span.start), self._last(span.end))

    def inner(self, span: Span) -> Span:
        """Return the new span without what was inserted right at either end of it."""
        if not len(span):
            return self.outer(span)
        start = span.start + self._grown[bisect_right(self._ends, span.start)]
        end = span.end + self._grown[bisect_left(self._starts, span.end)]
        inside = self.outer(span)
        return Span(max(start, inside.start), min(end, inside.end)) if start <= end else inside

    def _first(self, offset: int) -> int:
        """Map *offset*, to the left of what was written at it."""
        before = bisect_left(self._ends, offset)
        if before < len(self._edits) and self._starts[before] < offset:
            offset = self._starts[before]
        return offset + self._grown[before]

    def _last(self, offset: int) -> int:
        """Map *offset*, to the right of what was written at it."""
        before = bisect_right(self._starts, offset)
        if before and self._ends[before - 1] > offset:
            offset = self._ends[before - 1]
        return offset + self._grown[before]
