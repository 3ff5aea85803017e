"""Applying many fixes at once, without letting one cut into another."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from itertools import pairwise

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.records import dataclass
from sbatchlint.source import Source, Span


class UnsoundFix(ValueError):
    """A fix that cannot be applied to its file at all: its rule has a fault."""


@dataclass(frozen=True, slots=True)
class Round:
    """The outcome of one sweep over a file."""

    source: Source
    taken: tuple[Fix, ...]
    """The fixes that were applied, in the order of the text."""
    waiting: tuple[Fix, ...]
    """The fixes that would have cut into one that was taken; try them on the new source."""
    edits: tuple[Edit, ...]
    """All edits made, in the order of the text; they refer to the old source."""


def check_sound(source: Source, fix: Fix) -> None:
    """Raise :class:`UnsoundFix` if *fix* is outside the file, cuts into itself, or changes nothing."""
    size = len(source.text)
    if any(not 0 <= edit.span.start <= edit.span.end <= size for edit in fix.edits):
        raise UnsoundFix("an edit lies outside the file")
    if any("\r" in edit.text for edit in fix.edits):
        raise UnsoundFix("an edit writes a carriage return; line ends are the source's business")
    edits = sorted(set(fix.edits))
    if any(one.span == other.span or one.span.overlaps(other.span) for one, other in pairwise(edits)):
        raise UnsoundFix("its edits overlap one another")
    ends_change = fix.unix_line_ends and source.crlf_lines
    if not ends_change and all(source.slice(edit.span) == edit.text for edit in edits):
        raise UnsoundFix("it changes nothing")


def apply_fixes(source: Source, fixes: Iterable[Fix]) -> Round:
    """Apply every one of *fixes* that does not cut into one applied before it, in the order of the text.

    A fix is applied whole or not at all.  An edit that two fixes share is made once.  Edits of two fixes
    that only touch may both be made, unless one is an insertion: which text should come first is then
    unclear.  Raises :class:`UnsoundFix` for a fix that :func:`check_sound` refuses.
    """
    made: list[Edit] = []
    taken: list[Fix] = []
    waiting: list[Fix] = []
    for fix in dict.fromkeys(sorted(fixes, key=_place)):
        check_sound(source, fix)
        new = [edit for edit in dict.fromkeys(fix.edits) if not _is_made(made, edit)]
        if any(_cuts(made, edit) for edit in new):
            waiting.append(fix)
            continue
        taken.append(fix)
        for edit in new:
            insort(made, edit)
    after = source.edited((edit.span, edit.text) for edit in made)
    if any(fix.unix_line_ends for fix in taken):
        after = after.with_unix_line_ends()
    return Round(after, tuple(taken), tuple(waiting), tuple(made))


def _place(fix: Fix) -> tuple[Span, ...]:
    return tuple(edit.span for edit in fix.edits)


def _is_made(made: list[Edit], edit: Edit) -> bool:
    at = bisect_left(made, edit)
    return at < len(made) and made[at] == edit


def _cuts(made: list[Edit], edit: Edit) -> bool:
    """Tell whether *edit* clashes with one of *made*, which are in order and clash with none of their own."""
    at = bisect_left(made, edit)
    return any(_clash(edit.span, other.span) for other in made[max(0, at - 1) : at + 1])


def _clash(one: Span, other: Span) -> bool:
    if len(one) and len(other):
        return one.overlaps(other)
    return one.start <= other.end and other.start <= one.end
