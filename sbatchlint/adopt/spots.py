"""Where a comment that answers a finding may stand, the best place first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from sbatchlint.fix.edit import Edit
from sbatchlint.lint.extent import CommandLines
from sbatchlint.lint.scopes import Suppressions
from sbatchlint.lint.suppress import Suppression, Verb
from sbatchlint.records import dataclass
from sbatchlint.slurm.directives import read_directives
from sbatchlint.source import Source, Span

_WIDE = 110
"""Columns; a line that a comment would make longer than this gets it above."""


class Form(IntEnum):
    """How the comment is written; of two at one place, the smaller comes first in the text."""

    FILE = 0
    """``ignore-file`` on a line of its own near the top."""
    ABOVE = 1
    """On a line of its own."""
    END = 2
    """At the end of the line."""
    MORE = 3
    """As one more code in a comment that is there already."""


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """One place for a comment."""

    offset: int
    """Where the text goes in."""
    form: Form
    indent: str = ""

    def edit(self, source: Source, codes: Sequence[str], reason: str) -> Edit:
        """Return the edit that makes the comment answer *codes*."""
        keys = ", ".join(codes)
        said = f"[{keys}] {reason}".rstrip()
        text = {
            Form.FILE: f"# sbatchlint: ignore-file{said}\n",
            Form.ABOVE: f"{self.indent}# sbatchlint: ignore{said}\n",
            Form.END: f"  # sbatchlint: ignore{said}",
            Form.MORE: f", {keys}",
        }[self.form]
        if self.form is Form.FILE and self.offset and source.text[self.offset - 1] != "\n":
            text = "\n" + text.removesuffix("\n")  # the file is one line that does not end
        return Edit(Span(self.offset, self.offset), text)


class Spots:
    """The places of one script."""

    def __init__(self, source: Source, commands: CommandLines, suppressions: Suppressions) -> None:
        self._source = source
        self._commands = commands
        self._suppressions = suppressions
        read = read_directives(source)
        self._directives = {line.number for line in (*read.lines, *read.late)}

    def of(self, line: int) -> list[Spot]:
        """Return the places of a comment that answers a finding on *line*, each once."""
        near = self._of_directive(line) if line in self._directives else self._of_command(line)
        spots = dict.fromkeys([*self._extended(Verb.IGNORE, line), *near])
        spots.update(dict.fromkeys([*self._extended(Verb.IGNORE_FILE, line), self._top()]))
        return [spot for spot in spots if spot.offset or not self._source.text.startswith(("#!", "\ufeff"))]

    def _of_directive(self, line: int) -> list[Spot]:
        return [self._end(line), self._above(line)]

    def _of_command(self, line: int) -> Iterator[Spot]:
        plain = min(self._commands.around(line), key=len, default=range(line, line + 1))
        first, last = plain[0], plain[-1]
        own = self._commands.starting_at(first) in (None, plain)
        ends = [self._end(number) for number in dict.fromkeys((line, first, last))]
        above = [self._above(first)] if own else []
        wide = len(self._source.line(line)) + len("  # sbatchlint: ignore[SB000]") > _WIDE
        yield from (*above, *ends) if len(plain) > 1 or wide else (*ends, *above)
        for number in range(line, 0, -1):
            reach = self._commands.starting_at(number)
            if number == line or (reach is not None and line in reach):
                yield self._above(number)

    def _extended(self, verb: Verb, line: int) -> Iterator[Spot]:
        """Yield the comments of the kind *verb* that cover *line* already, for another rule."""
        found: dict[Suppression, None] = {}
        for scope in self._suppressions.scopes:
            if scope.suppression.verb is verb and scope.reaches(line):
                found[scope.suppression] = None
        here = self._source.line_span(line).start
        for suppression in sorted(found, key=lambda one: abs(one.span.start - here)):
            yield Spot(suppression.entries[-1].span.end, Form.MORE)

    def _end(self, line: int) -> Spot:
        return Spot(self._source.line_span(line).end, Form.END)

    def _above(self, line: int) -> Spot:
        text = self._source.line(line)
        indent = "" if line in self._directives else text[: len(text) - len(text.lstrip(" \t"))]
        return Spot(self._source.line_span(line).start, Form.ABOVE, indent)

    def _top(self) -> Spot:
        """Below the first line where that is a comment: sbatch wants ``#!`` there, and nothing before it."""
        text = self._source.text
        if not text.startswith(("#", "\ufeff")):
            return Spot(0, Form.FILE)
        return Spot(min(self._source.line_span(1).end + 1, len(text)), Form.FILE)
