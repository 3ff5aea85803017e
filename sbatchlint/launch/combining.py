"""Values put together: cut, joined where ways meet, one after the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, chain, islice

from sbatchlint.certainty import Certainty
from sbatchlint.launch.values import ABSENT, EMPTY, Choice, Segment, Text, Value, text_value, unknown

_MOST_OPTIONS = 4
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
    options = list(dict.fromkeys(values))
    if len(options) == 1:
        return options[0]
    head = _common(options)
    rest = [option.segments[head:] for option in options]
    tail = 0
    shortest = min(len(segments) for segments in rest)
    while tail < shortest and all(segments[-1 - tail] == rest[0][-1 - tail] for segments in rest):
        tail += 1
    middles = dict.fromkeys(Value(segments[: len(segments) - tail]) for segments in rest)
    flat = _flatten(middles)
    pieces = (leaf for option in flat for leaf in option.leaves())
    if len(flat) > most or next(islice(pieces, _MOST_SEGMENTS, None), None) is not None:
        return unknown(name, options[0].span)
    end = rest[0][len(rest[0]) - tail :]
    return Value((*options[0].segments[:head], Choice(tuple(flat)), *end))


def _common(options: list[Value]) -> int:
    head = 0
    shortest = min(len(option.segments) for option in options)
    first = options[0].segments
    while head < shortest and all(option.segments[head] == first[head] for option in options):
        head += 1
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


def concatenated(values: Iterable[Value]) -> Value:
    """The values one after the other."""
    return Value(tuple(chain.from_iterable(value.segments for value in values)))


def joined_by(separator: str, values: Iterable[Value]) -> Value:
    """The values with *separator* between them; beside an assumed value it is assumed too."""
    result = EMPTY
    before: Value | None = None
    for value in values:
        if before is not None:
            sure = Certainty.ASSUMED in (before.certainty, value.certainty)
            result += text_value(separator, None, Certainty.ASSUMED if sure else Certainty.KNOWN)
        result += value
        before = value
    return result


def bounded(value: Value, name: str) -> Value:
    """The value, or unknown where it has grown past all reason."""
    if len(value.segments) > _MOST_PIECES:
        return unknown(name)
    return unknown(name) if _size(value) > _LONGEST else value


def _size(value: Value) -> int:
    """Count characters, inside alternatives too; a text that grows is counted at every step."""
    sizes = [len(segment.text) for segment in value.segments if isinstance(segment, Text)]
    if len(sizes) == len(value.segments):
        return sum(sizes)
    choices = [segment for segment in value.segments if isinstance(segment, Choice)]
    return sum(sizes) + sum(_size(option) for choice in choices for option in choice.options)


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
