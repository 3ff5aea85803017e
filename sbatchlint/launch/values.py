"""Values of the abstract evaluation: text that knows where it was written, and what is not known.

A value is a sequence of segments.  Known text carries the span it was written at, so that a finding
in a command line that was built a hundred lines earlier points to the place where it was built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.source import Span


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
        return Text(self.text[start:end], span, self.certainty, self.early)


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
    blank: bool = False
    """True for one blank, ``name``, that is there unless nothing but blanks follows or precedes it."""
    many: bool = False
    """True for what stands for any number of words that are written out elsewhere: the rest of an array."""


class _Counted:
    """Something that knows its size once that has been counted: a text grows piece by piece."""

    __slots__ = ("_size",)
    _size: int

    @property
    def size(self) -> int:
        """The known characters, those of all alternatives together."""
        try:
            return self._size
        except AttributeError:
            size = self._count()
            object.__setattr__(self, "_size", size)
            return size

    def _count(self) -> int:
        """Count them: what the pieces are, each kind of value knows by itself."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Choice(_Counted):
    """One of several values: the script takes one branch or another, and does not tell which."""

    options: tuple[Value, ...]

    def _count(self) -> int:
        return sum(option.size for option in self.options)


Segment = Text | Unknown | Choice


@dataclass(frozen=True, slots=True)
class Value(_Counted):
    """A concatenation of segments."""

    segments: tuple[Segment, ...] = ()

    @property
    def text(self) -> str | None:
        """The whole text, or None if any of it is not known."""
        if len(self.segments) == 1:  # nearly all are
            only = self.segments[0]
            return only.text if isinstance(only, Text) else None
        texts = []
        for segment in self.segments:
            if not isinstance(segment, Text):
                return None
            texts.append(segment.text)
        return "".join(texts)

    def _count(self) -> int:
        return sum(
            len(segment.text) if isinstance(segment, Text) else segment.size
            for segment in self.segments
            if not isinstance(segment, Unknown)
        )

    def head(self, count: int) -> Value:
        """The first *count* segments."""
        found = Value(self.segments[:count])
        if count > _MANY:
            object.__setattr__(found, "_size", self.size - Value(self.segments[count:]).size)
        return found

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
        return concatenated((self, other))

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


_MANY = 16
"""Segments of a value whose size is told rather than counted."""


def concatenated(values: Iterable[Value]) -> Value:
    """The values one after the other."""
    parts = [*values]
    found = Value(tuple(chain.from_iterable([value.segments for value in parts])))
    if len(found.segments) > _MANY:
        object.__setattr__(found, "_size", sum(value.size for value in parts))
    return found


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


def holds_more(value: Value) -> bool:
    """Tell whether *value* stands for words that are written out elsewhere, among them perhaps options."""
    return any(leaf.many for leaf in value.unknowns())


def text_value(text: str, span: Span | None = None, certainty: Certainty = Certainty.KNOWN) -> Value:
    """Make a value of known text."""
    return Value((Text(text, span, certainty),)) if text or certainty else EMPTY


def unknown(name: str, span: Span | None = None) -> Value:
    """Make a value of which nothing is known."""
    return Value((Unknown(name, span),))
