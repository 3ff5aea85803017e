"""Lines of input that may be known in part only, and the pieces that ``read`` cuts them into (bash(1))."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.launch.combining import slice_value
from sbatchlint.launch.values import EMPTY, OUTPUT, Choice, Segment, Text, Unknown, Value, unknown

_NUL = "\0"


def take_line(held: Value, delimiter: str) -> tuple[Value, Value, bool | None]:
    """Give the first line of *held*, what is left behind it, and whether the line has its end.

    Where unknown text may hold the end, the line is unknown from there on, and so is what is left.
    """
    for index, segment in enumerate(held.segments):
        before = held.segments[:index]
        if not isinstance(segment, Text):
            if _may_hold(segment, delimiter):
                rest = Value(held.segments[index:])
                return _evened(Value((*before, Unknown(rest.show(), rest.span)))), unknown(OUTPUT), None
            continue
        end = segment.text.find(delimiter)
        if end >= 0:
            size = len(segment.text)
            line = Value((*before, *_if_any(segment.slice(0, end))))
            left = Value((*_if_any(segment.slice(end + 1, size)), *held.segments[index + 1 :]))
            return _evened(line), left.assumed() if is_assumed(line) else left, True
    return _evened(held), EMPTY, False


def is_assumed(value: Value) -> bool:
    """Whether any piece of known text in *value* is assumed."""
    return any(isinstance(leaf, Text) and leaf.certainty is Certainty.ASSUMED for leaf in value.leaves())


def _evened(line: Value) -> Value:
    """The line, all of it assumed where a piece is: another text there may have ended it elsewhere."""
    return line.assumed() if is_assumed(line) else line


def _if_any(text: Text) -> tuple[Text, ...]:
    return (text,) if text.text else ()


def _may_hold(segment: Unknown | Choice, delimiter: str) -> bool:
    """Whether a line may end in what is not known; a shell's variables and substitutions hold no NUL."""
    return any(
        delimiter in leaf.text if isinstance(leaf, Text) else delimiter != _NUL or leaf.name[:1] != "$"
        for leaf in Value((segment,)).leaves()
    )


# --- pieces --------------------------------------------------------------------------------------------


def pieces_of(line: Value, count: int, separators: str | None, *, raw: bool) -> list[Value | None]:
    """Cut *line* into *count* pieces, of which the last has all that is left; None for one not known."""
    texts = (leaf.text for leaf in line.leaves() if isinstance(leaf, Text))
    if separators is None or (not raw and any("\\" in text for text in texts)):
        return [None] * count
    if not separators:
        return [line, *[EMPTY] * (count - 1)]
    blanks = "".join(char for char in separators if char in " \t\n")
    hard = "".join(re.escape(char) for char in separators if char not in " \t\n")
    delimiter = _delimiter(blanks, hard)
    if line.text is not None:
        return [*_cut(line, line.text, count, delimiter, blanks, hard)]
    if not raw:
        line = _perhaps_continued(line)
    known = next(i for i, segment in enumerate(line.segments) if not isinstance(segment, Text))
    head, tail = Value(line.segments[:known]), Value(line.segments[known:])
    text = head.text or ""
    pieces: list[Value | None] = []
    at = len(text) - len(text.lstrip(blanks)) if blanks else 0
    while len(pieces) < count - 1:
        cut = delimiter.search(text, at)
        if cut is None:
            return pieces + [None] * (count - len(pieces))
        pieces.append(slice_value(head, at, cut.start()))
        at = cut.end()
    rest = slice_value(head, at, len(text)) + tail
    return [*pieces, None if hard else _trimmed(rest, blanks)]


def _delimiter(blanks: str, hard: str) -> re.Pattern[str]:
    blank = f"[{blanks}]" if blanks else "(?!)"
    return re.compile(f"{blank}*[{hard}]{blank}*|{blank}+" if hard else f"{blank}+")


def _cut(
    line: Value, text: str, count: int, delimiter: re.Pattern[str], blanks: str, hard: str
) -> list[Value]:
    """The pieces of a line that is wholly known."""
    at = len(text) - len(text.lstrip(blanks)) if blanks else 0
    stop = len(text.rstrip(blanks)) if blanks else len(text)
    pieces: list[Value] = []
    while len(pieces) < count - 1:
        cut = delimiter.search(text, at, stop) if at < stop else None
        if cut is None:
            break
        pieces.append(slice_value(line, at, cut.start()))
        at = cut.end()
    rest = slice_value(line, at, max(at, stop))
    # One hard separator at the very end goes too, if it is the only one that is left.
    found = list(delimiter.finditer(rest.text or "")) if hard else []
    if len(found) == 1 and found[0].end() == len(rest.text or ""):
        rest = slice_value(rest, 0, found[0].start())
    return [*pieces, rest, *[EMPTY] * (count - 1 - len(pieces))]


def _perhaps_continued(line: Value) -> Value:
    """Where a line break follows unknown text, a backslash at the end of that would take it away."""
    segments: list[Segment] = []
    for segment in line.segments:
        follows = bool(segments) and not isinstance(segments[-1], Text)
        if follows and isinstance(segment, Text) and segment.text.startswith("\n"):
            segments += _blanks(segment.slice(0, 1))
            segments += _if_any(segment.slice(1, len(segment.text)))
        else:
            segments.append(segment)
    return Value(tuple(segments))


# --- blanks at the ends ----------------------------------------------------------------------------


def _trimmed(value: Value, blanks: str) -> Value:
    """The value without blanks at its ends.

    Those beside unknown text at an end go only if that text is nothing but blanks.
    """
    front = _loosened(value.segments, blanks, back=False)
    return Value(tuple(reversed(_loosened(front[::-1], blanks, back=True))))


def _loosened(segments: Sequence[Segment], blanks: str, *, back: bool) -> list[Segment]:
    """Trim one end of *segments*, which are given from that end inwards."""
    kept: list[Segment] = []
    for index, segment in enumerate(segments):
        if not isinstance(segment, Text):
            if _is_solid(segment, blanks):
                return kept + list(segments[index:])
            whole = Value((segment,))
            kept.append(segment if isinstance(segment, Unknown) else Unknown(whole.show(), whole.span))
            continue
        size = len(segment.text)
        core = len(segment.text.rstrip(blanks) if back else segment.text.lstrip(blanks))
        edge = segment.slice(core, size) if back else segment.slice(0, size - core)
        if kept:
            kept += _blanks(edge)[::-1] if back else _blanks(edge)
        if core:
            kept.append(segment.slice(0, core) if back else segment.slice(size - core, size))
            return kept + list(segments[index + 1 :])
    return kept


def _blanks(text: Text) -> list[Segment]:
    pieces = (text.slice(at, at + 1) for at in range(len(text.text)))
    return [Unknown(piece.text, piece.span, blank=True) for piece in pieces]


def _is_solid(segment: Unknown | Choice, blanks: str) -> bool:
    """Whether it surely begins and ends with something that is no blank."""
    if isinstance(segment, Unknown):
        return False
    texts = [option.text for option in segment.options]
    return all(text and text.strip(blanks) == text for text in texts)


__all__ = ["is_assumed", "pieces_of", "take_line"]
