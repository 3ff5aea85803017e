"""Reading the ``#SBATCH`` lines of a script the way sbatch does, which is not the way a shell does.

The rules are those of ``_opt_batch_script`` and ``get_argument`` in Slurm's ``src/sbatch/opt.c``,
checked on Slurm 22.05.8 and 26.05.3.  Nothing here depends on the shell text of the script.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

from sbatchlint.slurm.options import Release, parse_release
from sbatchlint.source import Source, Span

BLANKS = " \t\v\f\r"
"""What separates words in a directive: C's ``isspace`` without the line end."""

_PREFIXES = ("#SBATCH", "#SLURM")
_COMPONENT = re.compile(r"(?:hetjob|packjob)(?=[ \t\v\f\r]|$)", re.IGNORECASE)
_FOREIGN = re.compile(r"^#(?:PBS|BSUB)\b.*", re.MULTILINE)
_BLANK_ESCAPES: Release = (24, 5)
"""First series in which backslash and blank inside a word stand for a blank."""


class DirectiveProblemKind(Enum):
    """What sbatch says about a line before it looks at options."""

    UNMATCHED_QUOTE = "unmatched quote"
    FREE_COLON = "free colon"
    OLD_PREFIX = "#SLURM prefix"


@dataclass(frozen=True, slots=True)
class DirectiveProblem:
    """One mistake in the writing of a directive line."""

    kind: DirectiveProblemKind
    line: int
    span: Span


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


@dataclass(frozen=True, slots=True)
class DirectiveLine:
    """One directive line."""

    number: int
    span: Span
    prefix: str
    """``#SBATCH`` or the old ``#SLURM``."""
    tokens: tuple[Token, ...]
    component: int = 0
    """Index of the heterogeneous job's component that the line belongs to."""
    separator: bool = False
    """True for ``#SBATCH hetjob``, which begins the component."""
    comment: Span | None = None
    """The text from an unquoted ``#`` on, which sbatch cuts off."""
    lost: Span | None = None
    """Text that sbatch drops without a word: after an empty quoted word or after ``hetjob``."""


@dataclass(frozen=True, slots=True)
class Directives:
    """What the directive lines of a script say, still as words."""

    lines: tuple[DirectiveLine, ...]
    stop: int | None
    """Number of the first line that is a command, where sbatch stops reading; None without one."""
    late: tuple[DirectiveLine, ...]
    """Lines that look like directives after :attr:`stop`: sbatch does not see them."""
    problems: tuple[DirectiveProblem, ...]
    foreign: tuple[Span, ...]
    """``#PBS`` and ``#BSUB`` lines, anywhere in the file: they override ``#SBATCH``."""

    @property
    def components(self) -> int:
        """Number of components; 1 for a plain job."""
        return 1 + sum(line.separator for line in self.lines)

    def tokens(self, component: int = 0) -> tuple[tuple[DirectiveLine, Token], ...]:
        """Return the argument list of one component, each word with the line it stands in."""
        return tuple(
            (line, token) for line in self.lines if line.component == component for token in line.tokens
        )


def read_directives(source: Source, release: str | None = None) -> Directives:
    """Read the directives of *source* as sbatch of *release* (None: the newest known) does."""
    reader = _Reader(source, parse_release(release))
    reader.read()
    return Directives(
        tuple(reader.lines),
        reader.stop,
        tuple(reader.late),
        tuple(reader.problems),
        tuple(Span(*match.span()) for match in _FOREIGN.finditer(source.text)),
    )


@dataclass
class _Reader:
    source: Source
    release: Release | None
    lines: list[DirectiveLine] = field(default_factory=list)
    late: list[DirectiveLine] = field(default_factory=list)
    problems: list[DirectiveProblem] = field(default_factory=list)
    stop: int | None = None
    component: int = 0

    def read(self) -> None:
        for number in range(1, self.source.line_count + 1):
            span = self.source.line_span(number)
            text = self.source.slice(span)
            prefix = next((one for one in _PREFIXES if text.startswith(one)), None)
            if prefix is not None:
                self._directive(number, span, prefix)
            elif self.stop is None and not text.lstrip(BLANKS).startswith("#") and text.strip(BLANKS):
                self.stop = number

    def _directive(self, number: int, span: Span, prefix: str) -> None:
        scanner = _Scanner(self.source.text, span.start + len(prefix), span.end, self._blank_escapes)
        separator = scanner.at_component()
        if self.stop is not None:
            scanner.read()
            self.late.append(self._line(number, span, prefix, scanner, separator))
            return
        if prefix == "#SLURM":
            place = Span(span.start, span.start + len(prefix))
            self.problems.append(DirectiveProblem(DirectiveProblemKind.OLD_PREFIX, number, place))
        self.component += separator
        scanner.read()
        self.problems.extend(DirectiveProblem(kind, number, place) for kind, place in scanner.problems)
        self.lines.append(self._line(number, span, prefix, scanner, separator))

    def _line(
        self, number: int, span: Span, prefix: str, scanner: _Scanner, separator: bool
    ) -> DirectiveLine:
        return DirectiveLine(
            number,
            span,
            prefix,
            tuple(scanner.tokens),
            self.component,
            separator,
            scanner.comment,
            scanner.lost,
        )

    @property
    def _blank_escapes(self) -> bool:
        return self.release is None or self.release >= _BLANK_ESCAPES


@dataclass
class _Scanner:
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
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, character: str, start: int, end: int) -> None:
        self.characters.append(character)
        self.starts.append(start)
        self.ends.append(end)
