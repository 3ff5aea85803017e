"""Splitting one directive line into words, as ``get_argument`` in Slurm's ``src/sbatch/opt.c`` does."""

from __future__ import annotations

import re
from dataclasses import field
from enum import Enum

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Span

BLANKS = " \t\v\f\r"
"""What separates words in a directive: C's ``isspace`` without the line end."""

_PLAIN = regex(r"[^ \t\v\f\r\\\"'#]+")
"""Characters that stand for themselves where no quote is open."""
_COMPONENT = regex(r"(?:hetjob|packjob)(?=[ \t\v\f\r]|$)", re.IGNORECASE)


class DirectiveProblemKind(Enum):
    """What sbatch says about a line before it looks at options."""

    UNMATCHED_QUOTE = "unmatched quote"
    FREE_COLON = "free colon"
    OLD_PREFIX = "#SLURM prefix"


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a directive, quotes and backslashes removed, with the place of every character."""

    value: str
    span: Span
    """All that was written for the word, quotes included."""
    starts: tuple[int, ...]
    """For each character of ``value`` where its text begins: at its backslash, if it has one."""
    ends: tuple[int, ...]
    """For each character of ``value`` where its text ends."""

    def span_of(self, start: int, end: int) -> Span:
        """Return the source span of ``value[start:end]``, without quotes around it."""
        if start < end:
            return Span(self.starts[start], self.ends[end - 1])
        place = self.ends[start - 1] if start else self.span.start
        return Span(place, place)


@dataclass
class LineScanner:
    """Splits one directive line, from after its prefix, into words."""

    text: str
    position: int
    end: int
    blank_escapes: bool
    tokens: list[Token] = field(default_factory=list)
    problems: list[tuple[DirectiveProblemKind, Span]] = field(default_factory=list)
    comment: Span | None = None
    lost: Span | None = None

    def at_component(self) -> bool:
        """Tell whether the next word is ``hetjob`` or its old name."""
        self._skip_blanks()
        return _COMPONENT.match(self.text, self.position, self.end) is not None

    def read(self) -> None:
        """Read words until the line, or what sbatch reads of it, ends."""
        while self._word():
            pass

    def _word(self) -> bool:
        self._skip_blanks()
        start = self.position
        if start == self.end:
            return False
        component = _COMPONENT.match(self.text, start, self.end)
        if component is not None:
            self._lose(component.end())
            return False
        if self.text[start] == ":":
            self.problems.append((DirectiveProblemKind.FREE_COLON, Span(start, start + 1)))
            return False
        word = _Word()
        self._characters(word)
        if self.comment is None and not word.characters:
            self._lose(start)
        if word.characters:
            place = Span(start, self.position)
            starts, ends = tuple(word.starts), tuple(word.ends)
            self.tokens.append(Token("".join(word.characters), place, starts, ends))
        return bool(word.characters) and self.comment is None

    def _characters(self, word: _Word) -> None:
        """Read one word's characters; leave the position after it."""
        quote: int | None = None
        while self.position < self.end:
            plain = None if quote is not None else _PLAIN.match(self.text, self.position, self.end)
            if plain is not None:
                word.add_plain(plain.group(), self.position)
                self.position = plain.end()
                continue
            here = self.text[self.position]
            if here in BLANKS and quote is None:
                return
            if here == "\\":
                if not self._escape(word, quoted=quote is not None):
                    break
            elif quote is not None and here == self.text[quote]:
                quote = None
                self.position += 1
            elif quote is None and here in "\"'":
                quote = self.position
                self.position += 1
            elif quote is None and here == "#":
                self.comment = Span(self.position, self.end)
                return
            else:
                word.add(here, self.position, self.position + 1)
                self.position += 1
        if quote is not None:
            place = Span(quote, self.end)
            self.problems.append((DirectiveProblemKind.UNMATCHED_QUOTE, place))

    def _escape(self, word: _Word, quoted: bool) -> bool:
        """Take a backslash and the character it protects; False where the line ends first."""
        slash = self.position
        self.position += 1
        if self.position == self.end:
            return False
        here = self.text[self.position]
        if here in BLANKS and not quoted and not (here == " " and self.blank_escapes):
            return True
        self.position += 1
        word.add(here, slash, self.position)
        return True

    def _skip_blanks(self) -> None:
        while self.position < self.end and self.text[self.position] in BLANKS:
            self.position += 1

    def _lose(self, start: int) -> None:
        """Note the rest of the line as dropped, unless it is blank or a lone backslash."""
        kept = self.text[start : self.end].strip(BLANKS)
        if kept and kept != "\\":
            self.lost = Span(start, self.end)


@dataclass
class _Word:
    characters: list[str] = field(default_factory=list)
    """The text read so far, in pieces."""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, character: str, start: int, end: int) -> None:
        self.characters.append(character)
        self.starts.append(start)
        self.ends.append(end)

    def add_plain(self, text: str, start: int) -> None:
        """Take characters that are written as they are."""
        self.characters.append(text)
        self.starts.extend(range(start, start + len(text)))
        self.ends.extend(range(start + 1, start + len(text) + 1))
