"""Which lines of a text are new or changed since another version of it."""

from __future__ import annotations

from difflib import SequenceMatcher

from sbatchlint.source import Source, Span


class Changes:
    r"""The difference between two versions of one file, by lines.

    Line ends do not count: a line that only changed from ``\n`` to ``\r\n`` is the same line.
    """

    def __init__(self, before: Source, after: Source) -> None:
        self._before = before
        self._after = after
        self._old_lines = _kept_lines(before.text.split("\n"), after.text.split("\n"))

    def touched(self, span: Span) -> bool:
        """Tell whether *span*, of the new version, has a part in a line that is new or changed."""
        first = self._after.position(span.start).line
        last = self._after.position(max(span.start, span.end - 1)).line
        return any(line not in self._old_lines for line in range(first, last + 1))

    def origin(self, offset: int) -> int | None:
        """Return where *offset*, of the new version, was in the old one; None in a new or changed line."""
        line, column = self._after.position(offset)
        old = self._old_lines.get(line)
        return None if old is None else self._before.line_span(old).start + column - 1


def _kept_lines(before: list[str], after: list[str]) -> dict[int, int]:
    """Return the number in *before* of each line of *after*, by its own, that is still the same; from 1."""
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    most -= head
    tail = next((n for n in range(most) if before[-1 - n] != after[-1 - n]), most)
    kept = {n + 1: n + 1 for n in range(head)}
    inner = SequenceMatcher(
        None, before[head : len(before) - tail], after[head : len(after) - tail], autojunk=False
    )
    for old, new, size in inner.get_matching_blocks():
        kept.update((head + new + n + 1, head + old + n + 1) for n in range(size))
    kept.update((len(after) - n, len(before) - n) for n in range(tail))
    return kept
