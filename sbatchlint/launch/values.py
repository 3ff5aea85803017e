"""Values of the abstract evaluation: text that knows where it was written, and what is not known.

A value is a sequence of segments.  Known text carries the span it was written at, so that a finding
in a command line that was built a hundred lines earlier points to the place where it was built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from sbatchlint.certainty import Certainty
from sbatchlint.source import Span

_MOST_OPTIONS = 4
_MOST_SEGMENTS = 400
_MOST_PIECES = 5_000
_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class Early:
    """A per-task variable that a shell on the batch host has expanded, and where its text went since."""

    variable: str
    rereads: int = 0
    """How many shells inside a step have read the text as code, where a ``$`` would expand."""
    frozen: bool = False
    """True once a shell has read it as code on the batch host, or between single quotes."""


@dataclass(frozen=True, slots=True)
class Text:
    """Known text.  Where ``span`` is as long as ``text``, character i was written at ``span.start + i``."""

    text: str
    span: Span | None = None
    certainty: Certainty = Certainty.KNOWN
    early: Early | None = None
    """Set where the text is what the batch shell made of a per-task variable."""

    def slice(self, start: int, end: int) -> Text:
        """Return characters *start* to *end* with their own span."""
        span = self.span
        if span is not None and len(span) == len(self.text):
            span = Span(span.start + start, span.start + end)
        return replace(self, text=self.text[start:end], span=span)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Text that the script does not tell; ``name`` says whose (``$FOO``, ``$(date)``)."""

    name: str
    span: Span | None = None
    per_task: bool = False
    """True for a variable that differs by task, expanded inside the step as it should be."""
    early: Early | None = None
    looked_up: bool = False
    """True for the folder of a program that was looked for: where there is none, all the text is missing."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values: the script takes one branch or another, and does not tell which."""

    options: tuple[Value, ...]


Segment = Text | Unknown | Choice


@dataclass(frozen=True, slots=True)
class Value:
    """A concatenation of segments."""

    segments: tuple[Segment, ...] = ()

    @property
    def text(self) -> str | None:
        """The whole text, or None if any of it is not known."""
        texts = []
        for segment in self.segments:
            if not isinstance(segment, Text):
                return None
            texts.append(segment.text)
        return "".join(texts)

    @property
    def certainty(self) -> Certainty:
        """The worst certainty of any segment."""
        worst = Certainty.KNOWN
        for segment in self.segments:
            grade = segment.certainty if isinstance(segment, Text) else Certainty.UNKNOWN
            worst = max(worst, grade)
        return worst

    @property
    def span(self) -> Span | None:
        """The span of the first segment that has one."""
        for segment in self.segments:
            if isinstance(segment, Choice):
                for option in segment.options:
                    if option.span is not None:
                        return option.span
            elif segment.span is not None:
                return segment.span
        return None

    @property
    def may_be_missing(self) -> bool:
        """True where the text may be empty although some of it is known (``$(which program)``)."""
        return any(leaf.looked_up for leaf in self.unknowns())

    def show(self) -> str:
        """The value as people read it: unknown parts by name, alternatives in braces."""
        shown = []
        for segment in self.segments:
            if isinstance(segment, Text):
                shown.append(segment.text)
            elif isinstance(segment, Unknown):
                shown.append(segment.name)
            else:
                shown.append("{" + "|".join(option.show() for option in segment.options) + "}")
        return "".join(shown)

    def __add__(self, other: Value) -> Value:
        return Value(self.segments + other.segments)

    def __bool__(self) -> bool:
        return bool(self.segments)

    def assumed(self) -> Value:
        """The same value, at best assumed."""
        return self.weakened(Certainty.ASSUMED)

    def weakened(self, certainty: Certainty) -> Value:
        """The same value, no more certain than *certainty* (known or assumed)."""
        if certainty is Certainty.KNOWN:
            return self
        if not self.segments:
            return Value((Text("", None, certainty),))
        return Value(
            tuple(
                replace(segment, certainty=max(segment.certainty, certainty))
                if isinstance(segment, Text)
                else _weakened_choice(segment, certainty)
                for segment in self.segments
            )
        )

    def alike(self) -> Value:
        """The same value where it was made once for several tasks: nothing in it differs between them."""
        return Value(
            tuple(
                Choice(tuple(option.alike() for option in segment.options))
                if isinstance(segment, Choice)
                else replace(segment, per_task=False)
                if isinstance(segment, Unknown) and segment.per_task
                else segment
                for segment in self.segments
            )
        )

    def leaves(self) -> Iterator[Text | Unknown]:
        """Every piece that is no choice, inside alternatives too."""
        for segment in self.segments:
            if isinstance(segment, Choice):
                for option in segment.options:
                    yield from option.leaves()
            else:
                yield segment

    def unknowns(self) -> Iterator[Unknown]:
        """Every unknown piece, inside alternatives too."""
        return (leaf for leaf in self.leaves() if isinstance(leaf, Unknown))

    def alternatives(self, most: int = 16) -> list[Value] | None:
        """Every value without a choice that this one may be; None if there are more than *most*."""
        found: list[tuple[Segment, ...]] = [()]
        for segment in self.segments:
            options: list[tuple[Segment, ...]] = [(segment,)]
            if isinstance(segment, Choice):
                options = []
                for option in segment.options:
                    inner = option.alternatives(most)
                    if inner is None:
                        return None
                    options.extend(value.segments for value in inner)
            if len(found) * len(options) > most:
                return None
            found = [head + tail for head in found for tail in options]
        return [Value(segments) for segments in found]


def _weakened_choice(segment: Unknown | Choice, certainty: Certainty) -> Unknown | Choice:
    if isinstance(segment, Unknown):
        return segment
    return Choice(
        tuple(option if option == ABSENT else option.weakened(certainty) for option in segment.options)
    )


EMPTY = Value()
OUTPUT = "output"
"""The name of what a program prints that this evaluation does not run."""
ABSENT = Value((Unknown(""),))
"""As one of an array element's alternatives: one way through the script leaves the element out."""


def last_part(path: Value) -> str | None:
    """The name behind the last slash of a path; None where it is not known."""
    tail = ""
    for segment in reversed(path.segments):
        if not isinstance(segment, Text):
            return tail.rpartition("/")[2] if "/" in tail else None
        tail = segment.text + tail
    return tail.rpartition("/")[2]


def text_value(text: str, span: Span | None = None, certainty: Certainty = Certainty.KNOWN) -> Value:
    """Make a value of known text."""
    return Value((Text(text, span, certainty),)) if text or certainty else EMPTY


def unknown(name: str, span: Span | None = None) -> Value:
    """Make a value of which nothing is known."""
    return Value((Unknown(name, span),))


def slice_value(value: Value, start: int, end: int) -> Value:
    """Return characters *start* to *end* of a value whose text is wholly known."""
    found: list[Segment] = []
    at = 0
    for segment in value.segments:
        assert isinstance(segment, Text)
        if at >= end:
            break
        size = len(segment.text)
        if at + size > start and start < end:
            found.append(segment.slice(max(start - at, 0), min(end - at, size)))
        at += size
    return Value(tuple(found))


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
    size = sum(len(leaf.text) if isinstance(leaf, Text) else 1 for leaf in value.leaves())
    return unknown(name) if size > _LONGEST else value


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
