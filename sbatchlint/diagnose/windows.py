"""Going through a log once: the lines that an expression picks out, each with its surroundings.

Only those lines ever become objects of their own; the rest is searched as one block of bytes.  A line that
is picked out can be looked at with :data:`BEFORE` bytes in front of it and :data:`AFTER` bytes behind it, so
what is seen does not depend on where the pieces of the file end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from sbatchlint.diagnose.shortening import Shortener
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

BEFORE = 32 * 1024
AFTER = 64 * 1024
_ESCAPES = regex(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)|[@-Z\\^_])")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log, or what stands between two carriage returns of one."""

    number: int
    """From 1, as an editor counts: carriage returns alone begin no line."""
    data: bytes
    """Without escapes of a terminal and without its end."""

    @property
    def text(self) -> str:
        """The line as text; bytes that are not UTF-8 are kept as lone surrogates."""
        return self.data.decode("utf-8", "surrogateescape")


class Window:
    """The part of a log that lies in memory."""

    def __init__(self, data: bytes, lines_before: int, *, at_start: bool) -> None:
        self._data = data
        self.flat = data.replace(b"\r", b"\n") if b"\r" in data else data
        """*data* with a line feed for each carriage return."""
        self._counted = 0
        self._number = lines_before
        self._at_start = at_start

    def line_at(self, at: int) -> tuple[Line, int, int]:
        """Return the line around the byte *at*, where it starts and where it ends.  *at* only ever grows."""
        start = self.flat.rfind(b"\n", 0, at) + 1
        end = self._end(start)
        self._number += self._data.count(b"\n", self._counted, start)
        self._counted = start
        return Line(self._number + 1, self.flat[start:end]), start, end

    def before(self, start: int) -> Iterator[bytes]:
        """Yield the whole lines in the :data:`BEFORE` bytes in front of *start*, the nearest first."""
        lowest = start - BEFORE
        end = start - 1
        while end >= 0:
            begin = self.flat.rfind(b"\n", max(lowest, 0), end) + 1
            if begin == 0 and not (self._at_start and lowest <= 0):
                return  # it may begin further back
            yield self.flat[begin:end]
            end = begin - 1

    def after(self, end: int) -> Iterator[Line]:
        """Yield the lines in the :data:`AFTER` bytes behind *end*, where the line ends that was told last."""
        number = self._number + 1
        last = min(len(self.flat), end + AFTER)
        while end < last:
            if self._data[end : end + 1] == b"\n":
                number += 1
            start = end + 1
            end = self._end(start)
            if start >= last or end > last:
                return
            yield Line(number, self.flat[start:end])

    def count_lines(self, end: int) -> int:
        """Return how many lines end before *end*."""
        return self._data.count(b"\n", 0, end)

    def _end(self, start: int) -> int:
        end = self.flat.find(b"\n", start)
        return len(self.flat) if end < 0 else end


class Sought(Protocol):
    """What lines are searched for."""

    @property
    def whole(self) -> Any:
        """The expression of everything that may ever tell something."""

    @property
    def current(self) -> Any:
        """The expression of what may still tell something new."""


Look = Callable[[Window, Line, int, int], None]
"""What is called for each line that was picked out: its window, the line, its start and its end there."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a log, once all of it was seen."""

    text: bytes
    """At most the last :data:`BEFORE` bytes, from the start of a line."""
    lines_before: int

    @property
    def lines(self) -> int:
        """How many lines the whole log has."""
        return (
            self.lines_before + self.text.count(b"\n") + (not self.text.endswith(b"\n") and self.text != b"")
        )

    def read(self) -> Iterator[Line]:
        """Yield its lines."""
        number = self.lines_before + 1
        for whole in self.text.split(b"\n"):
            for part in whole.split(b"\r"):
                yield Line(number, part)
            number += 1


def search(pieces: Iterable[bytes], sought: Sought, look: Look) -> Tail:
    """Call *look* for each line of *pieces* in which *sought* matches; return the end of the text.

    What *look* learns may change ``sought.current`` at any line.  The last :data:`AFTER` bytes are
    searched for ``sought.whole``: the end of a log tells most.
    """
    shortener = Shortener()
    rest = b""
    text = b""
    seen = 0
    """How far *text* was looked at."""
    lines = 0
    """How many lines end in front of *text*."""
    first = True
    for piece, last in _with_end(pieces):
        raw = rest + shortener.shorten(piece)
        cut = len(raw) if last else max(raw.rfind(b"\n"), raw.rfind(b"\r")) + 1
        rest = raw[cut:]
        text += _cleaned(raw[:cut])
        window = Window(text, lines, at_start=first)
        stop = len(text) if last else window.flat.rfind(b"\n", 0, max(len(text) - AFTER, 0)) + 1
        if stop <= seen and not last:
            continue
        _look_at(window, sought, seen, stop, look, last=last)
        keep = max(stop - BEFORE, 0)
        lines += window.count_lines(keep)
        text, seen = text[keep:], stop - keep
        first = first and not keep
    if first:
        return Tail(text, lines)
    cut = text.find(b"\n") + 1
    return Tail(text[cut:], lines + (cut > 0))


def _look_at(window: Window, sought: Sought, start: int, stop: int, look: Look, *, last: bool) -> None:
    done = start
    while True:
        expression = sought.whole if last else sought.current
        for match in expression.finditer(window.flat, done, stop):
            at = match.start()
            if at < done:
                continue
            line, begin, end = window.line_at(at)
            done = end + 1
            look(window, line, begin, end)
            if not last and sought.current is not expression:
                break
        else:
            return


def _with_end(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    for piece in pieces:
        yield piece, False
    yield b"", True


def _cleaned(text: bytes) -> bytes:
    if b"\0" in text:
        text = text.replace(b"\0", b"")
    return _ESCAPES.sub(b"", text) if b"\x1b" in text else text
