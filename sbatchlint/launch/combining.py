"""Values put together: cut, joined where ways meet, one after the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice

from sbatchlint.certainty import Certainty
from sbatchlint.launch.values import ABSENT, Choice, Segment, Text, Value, concatenated, text_value, unknown

_MOST_OPTIONS = 4
_FEW = 8
_MOST_SEGMENTS = 400
_MOST_PIECES = 5_000
_LONGEST = 100_000


class Slices:
    """Cuts pieces out of a value whose text is wholly known."""

    def __init__(self, value: Value) -> None:
        self._texts = [segment for segment in value.segments if isinstance(segment, Text)]
        self._starts = [0, *accumulate(len(text.text) for text in self._texts)]

    def slice(self, start: int, end: int) -> Value:
        """Return characters *start* to *end*."""
        found: list[Segment] = []
        for index in range(max(bisect_right(self._starts, start) - 1, 0), len(self._texts)):
            at, text = self._starts[index], self._texts[index]
            if at >= end:
                break
            if at + len(text.text) > start:
                found.append(text.slice(max(start - at, 0), min(end - at, len(text.text))))
        return Value(tuple(found))


def slice_value(value: Value, start: int, end: int) -> Value:
    """Return characters *start* to *end* of a value whose text is wholly known."""
    return Slices(value).slice(start, end)


def join(values: Iterable[Value], name: str, most: int = _MOST_OPTIONS) -> Value:
    """Return a value that is one of *values*; past *most* of them it is unknown and called *name*.

    What all of them begin and end with is kept outside the choice.
    """
    options = _distinct(values)
    if len(options) == 1:
        return options[0]
    head = _common(options)
    rest = [option.segments[head:] for option in options]
    tail = 0
    shortest = min(len(segments) for segments in rest)
    while tail < shortest and all(segments[-1 - tail] == rest[0][-1 - tail] for segments in rest):
        tail += 1
    middles = _distinct(Value(segments[: len(segments) - tail]) for segments in rest)
    flat = _flatten(middles)
    pieces = (leaf for option in flat for leaf in option.leaves())
    if len(flat) > most or next(islice(pieces, _MOST_SEGMENTS, None), None) is not None:
        return unknown(name, options[0].span)
    end = rest[0][len(rest[0]) - tail :]
    return concatenated((options[0].head(head), Value((Choice(tuple(flat)), *end))))


def _distinct(values: Iterable[Value]) -> list[Value]:
    """The values, equal ones once.  A few long ones that share pieces are quicker compared than hashed."""
    given = list(values)
    if len(given) > _FEW:
        return list(dict.fromkeys(given))
    found: list[Value] = []
    for value in given:
        if value not in found:
            found.append(value)
    return found


def _common(options: list[Value]) -> int:
    """How many segments all *options* begin with."""
    first = options[0].segments
    head, beyond = 0, 1 + min(len(option.segments) for option in options)
    while beyond - head > 1:
        middle = (head + beyond) // 2
        same = all(option.segments[head:middle] == first[head:middle] for option in options)
        head, beyond = (middle, beyond) if same else (head, middle)
    return head


def _flatten(options: Iterable[Value]) -> list[Value]:
    """Merge a choice whose option is itself nothing but a choice."""
    flat: dict[Value, None] = {}
    for option in options:
        if len(option.segments) == 1 and isinstance(option.segments[0], Choice):
            flat.update(dict.fromkeys(option.segments[0].options))
        else:
            flat[option] = None
    return list(flat)


def joined_by(separator: str, values: Iterable[Value]) -> Value:
    """The values with *separator* between them; beside an assumed value it is assumed too."""
    segments: list[Segment] = []
    before: Value | None = None
    for value in values:
        if before is not None:
            sure = Certainty.ASSUMED in (before.certainty, value.certainty)
            between = text_value(separator, None, Certainty.ASSUMED if sure else Certainty.KNOWN)
            segments.extend(between.segments)
        segments.extend(value.segments)
        before = value
    return Value(tuple(segments))


def bounded(value: Value, name: str) -> Value:
    """The value, or unknown where it has grown past all reason."""
    if len(value.segments) > _MOST_PIECES:
        return unknown(name)
    return unknown(name) if value.size > _LONGEST else value


def optional_value(value: Value) -> Value:
    """A value that may be missing, for an array's element."""
    return Value((Choice((ABSENT, value)),))


def without_absent(value: Value) -> tuple[Value, bool]:
    """An array element as it is where it is there, and whether it may be missing."""
    if len(value.segments) != 1 or not isinstance(value.segments[0], Choice):
        return value, False
    options = value.segments[0].options
    filled = tuple(option for option in options if option != ABSENT)
    if len(filled) == len(options):
        return value, False
    return filled[0] if len(filled) == 1 else Value((Choice(filled),)), True


def first_lacking(elements: Sequence[Value]) -> int:
    """The index of the first element that may be missing; the number of *elements* where none may."""
    return next((index for index, value in enumerate(elements) if without_absent(value)[1]), len(elements))
