"""Trims, cuts and replacements of values that are known at one end only.

What is done here holds whatever the unknown pieces may be, nothing and blanks included; all else is left
to the caller, who takes it as unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sbatchlint.certainty import Certainty
from sbatchlint.launch.combining import slice_value
from sbatchlint.launch.patterns import Glob
from sbatchlint.launch.values import EMPTY, Text, Unknown, Value, concatenated
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Ends:
    """A value in three: known text, what begins and ends with something unknown, known text."""

    head: Value
    middle: Value
    tail: Value

    @property
    def certainty(self) -> Certainty:
        """How sure the known text is that a cut is decided by."""
        return max(self.head.certainty, self.tail.certainty)


def ends_of(value: Value) -> Ends:
    """Take a value apart that is not wholly known."""
    segments = value.segments
    start, stop = 0, len(segments)
    while start < stop and isinstance(segments[start], Text):
        start += 1
    while stop > start and isinstance(segments[stop - 1], Text):
        stop -= 1
    return Ends(Value(segments[:start]), Value(segments[start:stop]), Value(segments[stop:]))


def known_texts(value: Value, change: Callable[[Value], Value | None], shown: str) -> Value | None:
    """Change every known piece by itself; unknown ones are *shown* from here on.  None where one can't be."""
    if not any(isinstance(segment, Text) and segment.text for segment in value.segments):
        return None
    pieces: list[Value] = []
    for segment in value.segments:
        piece: Value | None = None
        if isinstance(segment, Text):
            piece = change(Value((segment,)))
        elif isinstance(segment, Unknown):
            piece = Value((replace(segment, name=shown),))
        if piece is None:
            return None
        pieces.append(piece)
    return concatenated(pieces)


def trim(value: Value, operator: str, glob: Glob) -> Value | None:
    """``#``, ``##``, ``%`` and ``%%``; None where the unknown pieces decide what is taken away."""
    ends = ends_of(value)
    if operator[0] == "#":
        cut = _front_cut(ends, glob, longest=len(operator) == 2)
        if cut is None:
            return None
        at_end, size = cut
        if not at_end:
            return _sliced(ends.head, size, None) + ends.middle + ends.tail
        return _sliced(ends.tail, size, None)
    cut = _back_cut(ends, glob, longest=len(operator) == 2)
    if cut is None:
        return None
    at_start, size = cut
    if not at_start:
        return ends.head + ends.middle + _sliced(ends.tail, 0, size)
    return _sliced(ends.head, 0, size)


def _front_cut(ends: Ends, glob: Glob, *, longest: bool) -> tuple[bool, int] | None:
    """Where the match at the front ends: in the tail (True) or the head, and behind how many characters."""
    head, tail = ends.head.text or "", ends.tail.text or ""
    widths = glob.widths
    if widths is None:
        return None
    if not longest:
        found = next((cut for cut in range(len(head) + 1) if glob.full(head, 0, cut)), None)
        if found is not None:
            return False, found
    if len(widths) == 1 and widths[0] <= len(head):
        return False, widths[0] if glob.full(head, 0, widths[0]) else 0
    if longest and len(widths) == 2 and widths[0] == 0 < widths[1]:  # ``*/``
        found = next((cut for cut in range(len(tail), widths[1] - 1, -1) if glob.full(tail, 0, cut)), None)
        return None if found is None else (True, found)
    return None


def _back_cut(ends: Ends, glob: Glob, *, longest: bool) -> tuple[bool, int] | None:
    """Where the match at the back begins: in the head (True) or the tail, and behind how many characters."""
    head, tail = ends.head.text or "", ends.tail.text or ""
    widths = glob.widths
    if widths is None:
        return None
    if not longest:
        found = next((cut for cut in range(len(tail), -1, -1) if glob.full(tail, cut, len(tail))), None)
        if found is not None:
            return False, found
    if len(widths) == 1 and widths[0] <= len(tail):
        cut = len(tail) - widths[0]
        return False, cut if glob.full(tail, cut, len(tail)) else len(tail)
    if longest and len(widths) == 2 and widths[1] == 0 < widths[0]:  # ``:*``
        last = len(head) - widths[0]
        found = next((cut for cut in range(last + 1) if glob.full(head, cut, len(head))), None)
        return None if found is None else (True, found)
    return None


def substring(value: Value, bounds: Sequence[int]) -> Value | None:
    """``${name:start:length}`` where it begins and ends in known text, or takes all between."""
    ends = ends_of(value)
    head, tail = len(ends.head.text or ""), len(ends.tail.text or "")
    start = bounds[0]
    size = bounds[1] if len(bounds) > 1 else None
    if start < 0:
        if -start > tail:
            return None
        start += tail
        end = tail if size is None else min(start + size, tail) if size >= 0 else tail + size
        return _sliced(ends.tail, start, end) if end >= start else None
    if start > head:
        return None
    if size is None:
        return _sliced(ends.head, start, None) + ends.middle + ends.tail
    if size < 0:
        if -size > tail:
            return None
        return _sliced(ends.head, start, None) + ends.middle + _sliced(ends.tail, 0, tail + size)
    return _sliced(ends.head, start, start + size) if start + size <= head else None


def replaced_at_end(value: Value, operator: str, glob: Glob, replacement: Value) -> Value | None:
    """``/#`` and ``/%`` with a pattern that is no longer than what is known at that end."""
    ends = ends_of(value)
    widths = glob.widths
    if widths is None or len(widths) != 1:
        return None
    size = widths[0]
    held = ends.head if operator == "/#" else ends.tail
    text = held.text or ""
    if size > len(text):
        return None
    if operator == "/#":
        changed = replacement + _sliced(held, size, None) if glob.full(text, 0, size) else held
        return changed + ends.middle + ends.tail
    cut = len(text) - size
    changed = _sliced(held, 0, cut) + replacement if glob.full(text, cut, len(text)) else held
    return ends.head + ends.middle + changed


def _sliced(known: Value, start: int, end: int | None) -> Value:
    if not known.segments:
        return EMPTY
    return slice_value(known, start, len(known.text or "") if end is None else end)
