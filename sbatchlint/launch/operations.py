"""What a filter does to its input: picks lines, or changes each of them, or the text as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable

from sbatchlint.launch import nodes
from sbatchlint.launch.combining import slice_value
from sbatchlint.launch.values import EMPTY, Value, concatenated, text_value

Operation = Callable[[Value], "Value | None"]
"""What a filter makes of its input, which may be unknown; None where that can't be told."""
Parsed = tuple[Operation, list[str]]
"""An operation and the files that it is done to; none for the input."""


def _lines(text: str) -> list[tuple[int, int]]:
    """Where each line begins and ends, its newline left out."""
    ends = [match.start() for match in re.finditer("\n", text)]
    starts = [0, *(end + 1 for end in ends)]
    if starts[-1] < len(text):
        ends.append(len(text))
    return list(zip(starts, ends, strict=False))


def picks(first: int, last: int | None) -> Operation:
    """Lines *first* to *last* (None: the end), counted from 1; a negative *first* counts from the end."""

    def pick(held: Value) -> Value | None:
        if held.text is None:
            return nodes.picked(held, first) if first == last else None
        places = _lines(held.text)
        start = first - 1 if first > 0 else max(len(places) + first, 0)
        chosen = places[start:last]
        if not chosen:
            return EMPTY
        # The newline of the last one is there if it stands in the text.
        return slice_value(held, chosen[0][0], min(chosen[-1][1] + 1, len(held.text)))

    return pick


def each_line(change: Callable[[Value], Value | None]) -> Operation:
    """Do *change* to every line of known text; each is printed with a newline."""

    def act(held: Value) -> Value | None:
        if held.text is None:
            return None
        changed = [change(slice_value(held, start, end)) for start, end in _lines(held.text)]
        kept = [line + text_value("\n") for line in changed if line is not None]
        return concatenated(kept)

    return act


def on_text(change: Callable[[str], str]) -> Operation:
    """An operation on the text as a whole; what it leaves as it is keeps its places."""

    def act(held: Value) -> Value | None:
        if held.text is None:
            return None
        changed = change(held.text)
        return held if changed == held.text else text_value(changed, held.span)

    return act
