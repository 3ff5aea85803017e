"""Reading the ``#SBATCH`` lines of a script the way sbatch does, which is not the way a shell does.

The rules are those of ``_opt_batch_script`` and ``get_argument`` in Slurm's ``src/sbatch/opt.c``,
checked on Slurm 22.05.8 and 26.05.3.  Nothing here depends on the shell text of the script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.directive_words import BLANKS, DirectiveProblemKind, LineScanner, Token
from sbatchlint.slurm.options import Release, parse_release
from sbatchlint.source import Source, Span

__all__ = [
    "BLANKS",
    "DirectiveLine",
    "DirectiveProblem",
    "DirectiveProblemKind",
    "Directives",
    "Token",
    "escapes_blanks",
    "read_directives",
]

_DIRECTIVE = regex(r"^#(?:SBATCH|SLURM)", re.MULTILINE)
_COMMAND = regex(r"^[ \t\v\f\r]*[^# \t\v\f\r\n]", re.MULTILINE)
"""A line that is neither empty nor a comment."""
_FOREIGN = ("#BSUB", "#PBS")
"""Prefixes of other batch systems; where a file has lines of both, only those of the first count."""
_FOREIGN_REACH = 100
"""sbatch gives up looking for them after so many lines that do not begin with ``#``."""
_BLANK_ESCAPES: Release = (24, 5)
"""First series in which backslash and blank inside a word stand for a blank."""


@dataclass(frozen=True, slots=True)
class DirectiveProblem:
    """One mistake in the writing of a directive line."""

    kind: DirectiveProblemKind
    line: int
    span: Span


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
    foreign: tuple[DirectiveLine, ...] = ()
    """The ``#PBS`` or ``#BSUB`` lines that sbatch translates, also after commands: they override."""
    foreign_problems: tuple[DirectiveProblem, ...] = ()
    """What stops sbatch in splitting these lines, unless it is told to ignore them."""

    @property
    def components(self) -> int:
        """Number of components; 1 for a plain job."""
        return 1 + sum(line.separator for line in self.lines)

    def tokens(self, component: int = 0) -> tuple[tuple[DirectiveLine, Token], ...]:
        """Return the argument list of one component, each word with the line it stands in."""
        return tuple(
            (line, token) for line in self.lines if line.component == component for token in line.tokens
        )


def escapes_blanks(release: Release | None) -> bool:
    r"""Tell whether ``\ `` inside a word stands for a blank: all else is split alike by all releases."""
    return release is None or release >= _BLANK_ESCAPES


def read_directives(source: Source, release: str | None = None) -> Directives:
    """Read the directives of *source* as sbatch of *release* (None: the newest known) does."""
    reader = _Reader(source, parse_release(release))
    reader.read()
    foreign, foreign_problems = reader.read_foreign()
    return Directives(
        tuple(reader.lines),
        reader.stop,
        tuple(reader.late),
        tuple(reader.problems),
        foreign,
        foreign_problems,
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
        command = _COMMAND.search(self.source.text)
        self.stop = None if command is None else self.source.position(command.start()).line
        for match in _DIRECTIVE.finditer(self.source.text):
            number = self.source.position(match.start()).line
            self._directive(number, self.source.line_span(number), match.group())

    def _directive(self, number: int, span: Span, prefix: str) -> None:
        scanner = LineScanner(self.source.text, span.start + len(prefix), span.end, self._blank_escapes)
        separator = scanner.at_component()
        if self.stop is not None and number > self.stop:
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

    def read_foreign(self) -> tuple[tuple[DirectiveLine, ...], tuple[DirectiveProblem, ...]]:
        """Split the lines of another batch system (``xlate_batch_script`` in ``src/sbatch/xlate.c``)."""
        for prefix in _FOREIGN:
            lines: list[DirectiveLine] = []
            problems: list[DirectiveProblem] = []
            for number, span in self._foreign_lines(prefix):
                scanner = LineScanner(
                    self.source.text, span.start + len(prefix), span.end, self._blank_escapes
                )
                scanner.read()
                problems += [DirectiveProblem(kind, number, place) for kind, place in scanner.problems]
                lines.append(self._line(number, span, prefix, scanner, separator=False))
            if lines:
                return tuple(lines), tuple(problems)
        return (), ()

    def _foreign_lines(self, prefix: str) -> Iterator[tuple[int, Span]]:
        text = self.source.text
        if prefix not in text:
            return
        others = 0
        for number in range(1, self.source.line_count + 1):
            span = self.source.line_span(number)
            if text.startswith(prefix, span.start):
                yield number, span
            elif not text.startswith("#", span.start):
                others += 1
                if others > _FOREIGN_REACH:
                    return

    def _line(
        self, number: int, span: Span, prefix: str, scanner: LineScanner, separator: bool
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
        return escapes_blanks(self.release)
