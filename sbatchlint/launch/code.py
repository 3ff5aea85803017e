"""Shell code that a script hands to another shell: text again, but every character knows its origin.

``bash -c "$CMD"``, here-documents and ``eval`` make code out of a value.  What is unknown in it is
represented by one private-use character each, which the shell reader takes for a letter.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile

from sbatchlint.certainty import Certainty
from sbatchlint.launch.values import Choice, Early, Segment, Text, Unknown, Value
from sbatchlint.regex import regex
from sbatchlint.shell.reader import read_text
from sbatchlint.shell.syntax import Script
from sbatchlint.source import Span

_DANGLING = regex(r"(?<!\\)\$(?:[A-Za-z0-9_]*|\{[^}]*)\Z")
_FIRST_WORD = regex(r"\A\s*\S*")
_LAST_WORD = regex(r"(?<!\S)\S+\s*\Z|\A\s*\Z")
_TO_BRACE = regex(r"[^}]*\}?")
_NAME_CHARACTERS = regex(r"[A-Za-z0-9_]*")
PLACEHOLDER_FIRST = 0xE000
_PLACEHOLDER_LAST = 0xF8FF
_PLACEHOLDER = regex(f"[{chr(PLACEHOLDER_FIRST)}-{chr(_PLACEHOLDER_LAST)}]")


def is_placeholder(char: str) -> bool:
    """Tell whether *char* stands for unknown text."""
    return PLACEHOLDER_FIRST <= ord(char) <= _PLACEHOLDER_LAST


def render(segments: Sequence[Segment]) -> tuple[str, list[Segment]]:
    """Write segments as text with placeholders; give it with the segments the placeholders stand for."""
    pieces: list[str] = []
    hidden: list[Segment] = []
    for segment in segments:
        if isinstance(segment, Text):
            pieces.append(_PLACEHOLDER.sub("?", segment.text))
        elif isinstance(segment, Unknown) and segment.blank:
            pieces.append(segment.name)  # at the end of a line it makes no difference to a shell
        else:
            pieces.append(chr(min(PLACEHOLDER_FIRST + len(hidden), _PLACEHOLDER_LAST)))
            hidden.append(segment)
    return "".join(pieces), hidden


def guarded(value: Value) -> Value:
    """Prepare a text to be read as code: what stands beside text that is not known may mean something else.

    A ``$`` or ``${NAME`` right before unknown text reads on into it and becomes unknown with it.  The
    words around a text that is empty by assumption only are assumed too.
    """
    return _without_dangling(_weakened_around_blanks(value))


def _without_dangling(value: Value) -> Value:
    found: list[Segment] = []
    swallowed: re.Pattern[str] | None = None
    for segment in value.segments:
        if isinstance(segment, Text):
            match = swallowed.match(segment.text) if swallowed is not None else None
            end = match.end() if match is not None else 0
            if end < len(segment.text):
                found.append(segment.slice(end, len(segment.text)))
                swallowed = None
            continue
        if swallowed is not None:
            found[-1] = _one_unknown([found[-1], segment])  # the name may go on through it
            continue
        begun = _take_dangling(found)
        if not begun:
            found.append(segment)
            continue
        found.append(_one_unknown([*begun, segment]))
        swallowed = _TO_BRACE if "{" in "".join(text.text for text in begun) else _NAME_CHARACTERS
    return Value(tuple(found))


def _take_dangling(found: list[Segment]) -> list[Text]:
    """Take the beginning of an expansion off the end of *found*, where it may stand in several texts."""
    count = len(list(takewhile(lambda one: isinstance(one, Text), reversed(found))))
    texts = [one for one in found[len(found) - count :] if isinstance(one, Text)]
    joined = "".join(text.text for text in texts)
    match = _DANGLING.search(joined)
    if match is None:
        return []
    del found[len(found) - count :]
    taken: list[Text] = []
    at = 0
    for text in texts:
        cut = min(max(match.start() - at, 0), len(text.text))
        if cut:
            found.append(text.slice(0, cut))
        if cut < len(text.text):
            taken.append(text.slice(cut, len(text.text)))
        at += len(text.text)
    return taken


def _one_unknown(segments: Sequence[Segment]) -> Unknown:
    """What *segments* are together, where nobody knows what is expanded."""
    return Unknown(Value(tuple(segments)).show(), Value((segments[-1],)).span)


def _weakened_around_blanks(value: Value) -> Value:
    found: list[Segment] = []
    blank = False
    for segment in value.segments:
        if isinstance(segment, Text) and not segment.text:
            if segment.certainty and found and isinstance(found[-1], Text):
                found[-1:] = _weakened_part(found[-1], _LAST_WORD)
            blank = blank or segment.certainty is Certainty.ASSUMED
        elif isinstance(segment, Text) and blank:
            found += _weakened_part(segment, _FIRST_WORD)
            blank = False
        else:
            found.append(segment)
    return Value(tuple(found))


def _weakened_part(text: Text, part: re.Pattern[str]) -> list[Segment]:
    """The text in up to three pieces, of which the one that *part* finds is assumed."""
    match = part.search(text.text)
    start, end = match.span() if match else (0, 0)
    pieces = [text.slice(0, start), text.slice(start, end), text.slice(end, len(text.text))]
    pieces[1] = replace(pieces[1], certainty=max(text.certainty, Certainty.ASSUMED))
    return [piece for piece in pieces if piece.text]


Note = Callable[[Span, Early], None]
Scripts = dict[tuple[str, Span], Script]
"""Syntax trees that were read, by the text and the part of it."""


class Code:
    """A text to be read as shell code, and where each of its characters comes from."""

    def __init__(
        self, value: Value, *, in_task: bool, note: Note | None = None, read: Scripts | None = None
    ) -> None:
        self.text, _ = render(value.segments)
        self._note = note
        self._segments = value.segments
        self._in_task = in_task
        self._starts: list[int] = []
        at = 0
        for segment in value.segments:
            self._starts.append(at)
            at += len(segment.text) if isinstance(segment, Text) else 1
        self._read = {} if read is None else read

    @property
    def script(self) -> Script:
        """The syntax tree; spans are offsets in :attr:`text`."""
        return self.part(Span(0, len(self.text)))

    def part(self, span: Span) -> Script:
        """Read only the commands in *span* (the body of a substitution)."""
        key = (self.text, span)
        if key not in self._read:
            self._read[key] = read_text(self.text, span.start, span.end)
        return self._read[key]

    def segments(self, start: int, end: int, *, frozen: bool = False) -> tuple[Segment, ...]:
        """Return what stands between two offsets, as segments with their original spans.

        *frozen* says that it stands where the shell does not expand (single quotes).
        """
        whole = self._one_text(start, end)
        if whole is not None:
            text, at = whole
            return (self._reread(text.slice(start - at, end - at), frozen=frozen),)
        found: list[Segment] = []
        for index in range(max(bisect_right(self._starts, start) - 1, 0), len(self._segments)):
            segment, at = self._segments[index], self._starts[index]
            if at >= end:
                break
            if isinstance(segment, Text):
                low, high = max(start - at, 0), min(end - at, len(segment.text))
                if low < high:
                    found.append(self._reread(segment.slice(low, high), frozen=frozen))
            elif at >= start:
                found.append(self._reread(segment, frozen=frozen))
        return tuple(found)

    def _one_text(self, start: int, end: int) -> tuple[Text, int] | None:
        """The one text that all between two offsets is part of, as nearly always, and where it begins."""
        index = bisect_right(self._starts, start) - 1
        if index < 0 or start >= end:
            return None
        segment, at = self._segments[index], self._starts[index]
        return (segment, at) if isinstance(segment, Text) and end <= at + len(segment.text) else None

    def _reread(self, segment: Segment, *, frozen: bool) -> Segment:
        """Note on a variable expanded too early that one more shell has read it, and how."""
        if isinstance(segment, Choice) or segment.early is None:
            return segment
        early = segment.early
        if self._in_task and not frozen:
            early = replace(early, rereads=early.rereads + 1)
        else:
            early = replace(early, frozen=True)
        if self._note is not None and segment.span is not None:
            self._note(segment.span, early)
        return replace(segment, early=early)

    def certainty(self, span: Span) -> Certainty:
        """How sure it is that *span* reads as it does: assumed where text in it is a default."""
        segments = self.segments(span.start, span.end)
        return max((s.certainty for s in segments if isinstance(s, Text)), default=Certainty.KNOWN)

    def locate(self, span: Span) -> Span | None:
        """Return where in the file *span* of this code was written, as far as it is one place."""
        whole = self._one_text(span.start, span.end)
        if whole is not None and whole[0].early is None:
            text, at = whole
            place = text.span
            if place is None or len(place) != len(text.text):
                return place
            return Span(place.start + span.start - at, place.start + span.end - at)
        found: Span | None = None
        for segment in self.segments(span.start, span.end):
            place = Value((segment,)).span if isinstance(segment, Choice) else segment.span
            if place is not None:
                found = place if found is None else _extend(found, place)
        return found


def _extend(first: Span, second: Span) -> Span:
    """Cover both if the second follows the first; else keep the first, which is where to look."""
    return Span(first.start, second.end) if first.end <= second.start else first


class FileCode(Code):
    """The script itself: every character comes from where it stands."""

    def __init__(self, text: str, script: Script) -> None:
        self.text = text
        self._whole = script
        self._note = None
        self._read: Scripts = {}

    @property
    def script(self) -> Script:
        """The tree that it was made with."""
        return self._whole

    def segments(self, start: int, end: int, *, frozen: bool = False) -> tuple[Segment, ...]:
        """Return the text between two offsets."""
        return (Text(self.text[start:end], Span(start, end)),) if start < end else ()

    def certainty(self, span: Span) -> Certainty:
        """Return that it is known."""
        return Certainty.KNOWN

    def locate(self, span: Span) -> Span | None:
        """Return the span itself."""
        return span


__all__ = ["Choice", "Code", "FileCode", "Unknown", "is_placeholder", "render"]
