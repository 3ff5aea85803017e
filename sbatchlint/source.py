r"""The text of one file, with positions, kept so that it can be written back byte for byte.

Everything after this module counts in characters of :attr:`Source.text`, in which every line ends
in ``\\n`` alone.  ``\\r\\n`` is folded on reading and restored on writing, so that the shell reader,
the rules and the fixes need not know of it; bytes that are not UTF-8 survive as lone surrogates
(PEP 383).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from sbatchlint.records import dataclass
from sbatchlint.regex import regex

_CARRIAGE_RETURNS = regex(r"(?<!\r)\r+\n")
_LINE_END = regex(r"\r?\n")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of character offsets in a :class:`Source`'s text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, other: Span) -> bool:
        """Tell whether *other* lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two share a character; an empty span overlaps what strictly encloses it."""
        if not len(self) or not len(other):
            return self.start < other.end and other.start < self.end
        return max(self.start, other.start) < min(self.end, other.end)

    def cover(self, other: Span) -> Span:
        """Return the smallest span that holds both."""
        return Span(min(self.start, other.start), max(self.end, other.end))


class Position(NamedTuple):
    """A place as people count: line and column both from 1, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True)
class Source:
    """One file's text.  Make it with :meth:`from_bytes` or :meth:`from_text`."""

    path: str
    """The path as the user named it; ``-`` for standard input.  Only ever shown, never opened."""
    text: str
    crlf_lines: frozenset[int] = field(default=frozenset())
    """Numbers (from 1) of the lines that ended in ``\\r\\n``."""

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> Source:
        """Decode *data* as UTF-8; undecodable bytes become lone surrogates and are kept."""
        return cls.from_text(data.decode("utf-8", "surrogateescape"), path)

    @classmethod
    def from_text(cls, text: str, path: str = "-") -> Source:
        r"""Take *text* with any mixture of ``\\n`` and ``\\r\\n`` line ends."""
        if "\r\n" not in text:
            return cls(path, text)
        ends = (match.group() for match in _LINE_END.finditer(text))
        crlf = frozenset(number for number, end in enumerate(ends, 1) if end == "\r\n")
        return cls(path, text.replace("\r\n", "\n"), crlf)

    def to_bytes(self) -> bytes:
        """Return the file's bytes, line ends and undecodable bytes as they came."""
        return self._with_line_ends().encode("utf-8", "surrogateescape")

    def _with_line_ends(self) -> str:
        text = self.text
        if self.crlf_lines:
            lines = text.split("\n")
            last = len(lines)
            text = "".join(
                line if number == last else line + ("\r\n" if number in self.crlf_lines else "\n")
                for number, line in enumerate(lines, 1)
            )
        return text

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    @property
    def line_count(self) -> int:
        r"""Number of lines; text after the last ``\\n`` counts as one even when it is empty."""
        return len(self._line_starts)

    def position(self, offset: int) -> Position:
        """Return the line and column of a character offset (0 to ``len(text)``)."""
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line_span(self, number: int) -> Span:
        """Return the span of line *number* (from 1) without its line end."""
        start = self._line_starts[number - 1]
        if number < len(self._line_starts):
            return Span(start, self._line_starts[number] - 1)
        return Span(start, len(self.text))

    def line_around(self, offset: int) -> Span:
        """Return the span of the line that *offset* is in, without its line end."""
        return self.line_span(self.position(offset).line)

    def line(self, number: int) -> str:
        """Return the text of line *number* (from 1) without its line end."""
        return self.slice(self.line_span(number))

    def slice(self, span: Span) -> str:
        """Return the text that *span* covers."""
        return self.text[span.start : span.end]

    def edited(self, edits: Iterable[tuple[Span, str]]) -> Source:
        """Return a new source with each span replaced by its text.

        The spans must not overlap.  A new line takes the line end of the line it is put in, all
        other lines keep theirs.
        """
        pieces: list[str] = []
        crlf: set[int] = set()
        done = 0
        written = 1
        for span, replacement in sorted(edits, key=lambda edit: edit[0]):
            if span.start < done:
                raise ValueError(f"edits overlap at offset {span.start}")
            written = self._keep(done, span.start, written, pieces, crlf)
            pieces.append(replacement)
            here = self.position(span.start).line
            for _ in range(replacement.count("\n")):
                if here in self.crlf_lines:
                    crlf.add(written)
                written += 1
            done = span.end
        self._keep(done, len(self.text), written, pieces, crlf)
        return Source(self.path, "".join(pieces), frozenset(crlf))._as_read_again()

    def with_unix_line_ends(self) -> Source:
        r"""Return the same text with every line ending in ``\\n`` alone."""
        return Source(self.path, _CARRIAGE_RETURNS.sub("\n", self.text))

    def _as_read_again(self) -> Source:
        r"""Return what reading gives when this has been written.

        Only where a line of the text itself ends in ``\\r`` (``\\r\\r\\n`` in the file) that is another.
        """
        if "\r\n" not in self.text:
            return self
        return Source.from_text(self._with_line_ends(), self.path)

    def _keep(self, start: int, end: int, written: int, pieces: list[str], crlf: set[int]) -> int:
        """Copy ``text[start:end]`` and note its line ends; give the number of the line reached."""
        kept = self.text[start:end]
        pieces.append(kept)
        if self.crlf_lines:
            first = self.position(start).line
            crlf.update(written + step for step in range(kept.count("\n")) if first + step in self.crlf_lines)
        return written + kept.count("\n")
