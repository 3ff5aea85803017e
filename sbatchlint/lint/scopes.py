"""Where each suppression reaches, and which findings it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from sbatchlint.lint.extent import CommandLines, Lines
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.suppress import Entry, Malformed, Suppression, Verb, read_suppressions
from sbatchlint.records import dataclass
from sbatchlint.source import Source

if TYPE_CHECKING:
    from sbatchlint.shell.syntax import Script


_DIRECTIVES = ("#SBATCH", "#SLURM")


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that is answered by a comment of the script, or set aside by an exception from its rule."""

    finding: Finding
    by: Suppression | None
    """The comment; None for an exception, which the configuration makes."""
    reason: str
    """What the comment or the exception gives as its reason; may be empty for a comment."""


@dataclass(slots=True)
class Scope:
    """What one entry of one suppression covers of one rule."""

    code: str
    suppression: Suppression
    entry: Entry
    breadth: int
    """How many rules the entry stands for: 1 for a code or a name, more for a prefix or a family."""
    lines: tuple[Lines, ...]
    closing: tuple[Suppression, Entry] | None = None
    """The ``on`` that ends an ``off``."""
    used: bool = False

    def reaches(self, line: int) -> bool:
        """Tell whether a finding that starts on *line* is covered."""
        return any(line in lines for lines in self.lines)


@dataclass(slots=True)
class Suppressions:
    """All suppressions of one file."""

    scopes: list[Scope] = field(default_factory=list)
    malformed: list[Malformed] = field(default_factory=list)
    unknown: list[Entry] = field(default_factory=list)
    """Entries that name no known rule."""
    unopened: list[Entry] = field(default_factory=list)
    """Entries of an ``on`` whose rule is not off there."""

    def sift(self, source: Source, findings: Iterable[Finding]) -> tuple[list[Finding], list[Suppressed]]:
        """Part *findings* into those that stand and those that are suppressed.

        The nearest suppression is credited with a finding, and of equals the one that names fewest rules,
        so that a wider one that has nothing left to do is seen to be unused.
        """
        standing: list[Finding] = []
        suppressed: list[Suppressed] = []
        by_place = self._by_place()
        for finding in findings:
            line = source.position(finding.span.start).line
            wide, narrow = by_place.get((finding.code, 0), ()), by_place.get((finding.code, line), ())
            scope = self._nearest((*wide, *narrow), line)
            if scope is None:
                standing.append(finding)
            else:
                scope.used = True
                suppressed.append(Suppressed(finding, scope.suppression, scope.suppression.reason))
        return standing, suppressed

    def _by_place(self) -> dict[tuple[str, int], list[Scope]]:
        """Return the scopes by code and line; those of many lines stand at line 0."""
        found: dict[tuple[str, int], list[Scope]] = {}
        for scope in self.scopes:
            few = sum(map(len, scope.lines)) <= _FEW_LINES
            for line in {line for lines in scope.lines for line in lines} if few else (0,):
                found.setdefault((scope.code, line), []).append(scope)
        return found

    @staticmethod
    def _nearest(scopes: Iterable[Scope], line: int) -> Scope | None:
        reaching = [scope for scope in scopes if scope.reaches(line)]
        return min(
            reaching,
            key=lambda scope: (
                _WIDTH[scope.suppression.verb],
                scope.breadth,
                scope.suppression.span.start,
                scope.entry.span.start,
            ),
            default=None,
        )


_FEW_LINES = 50
_WIDTH = {Verb.IGNORE: 0, Verb.OFF: 1, Verb.IGNORE_FILE: 2, Verb.ON: 3}


def find_suppressions(
    source: Source, script: Script, codes_of: Callable[[str], Sequence[str]]
) -> Suppressions:
    """Read the suppressions of *source*.

    *codes_of* gives the codes that an entry stands for: one for a code or a name, several for a prefix or
    a family, none for what is not known.
    """
    read, malformed = read_suppressions(source, script)
    result = Suppressions(malformed=malformed)
    if not read:
        return result
    commands = CommandLines(source, script)
    open_scopes: dict[str, list[Scope]] = {}
    for suppression in read:
        for entry in suppression.entries:
            codes = codes_of(entry.key)
            if not codes:
                result.unknown.append(entry)
            elif suppression.verb is Verb.ON:
                closed = [scope for code in codes for scope in open_scopes.pop(code, [])]
                _close(source, result, closed, suppression, entry)
            else:
                lines = _reach(source, commands, suppression)
                scopes = [Scope(code, suppression, entry, len(codes), lines) for code in codes]
                result.scopes += scopes
                for scope in scopes if suppression.verb is Verb.OFF else ():
                    open_scopes.setdefault(scope.code, []).append(scope)
    return result


def _close(
    source: Source, result: Suppressions, scopes: Sequence[Scope], suppression: Suppression, entry: Entry
) -> None:
    if not scopes:
        result.unopened.append(entry)
    end = source.position(suppression.span.start).line
    for scope in scopes:
        scope.lines = tuple(range(lines.start, end + 1) for lines in scope.lines)
        scope.closing = (suppression, entry)


def _reach(source: Source, commands: CommandLines, suppression: Suppression) -> tuple[Lines, ...]:
    line = source.position(suppression.span.start).line
    if suppression.verb is Verb.IGNORE_FILE:
        return (range(1, source.line_count + 1),)
    if suppression.verb is Verb.OFF:
        return (range(line, source.line_count + 1),)
    if source.line(line).startswith(_DIRECTIVES):
        return (range(line, line + 1),)
    inside = commands.around(line)
    if not suppression.own_line:
        return (range(line, line + 1), *inside)
    if inside:
        return tuple(inside)
    return (_below(source, commands, line),)


def _below(source: Source, commands: CommandLines, line: int) -> Lines:
    """Return the lines of what stands under an own-line comment; further comments may stand between."""
    target = commands.below.get(line, 0) or _next_line(source, line)
    if line not in commands.below:
        commands.below.update(dict.fromkeys(range(line, target), target))
    if target > source.line_count or source.line(target).startswith(_DIRECTIVES):
        return range(target, target + 1)
    return commands.starting_at(target) or range(target, target + 1)


def _next_line(source: Source, line: int) -> int:
    """Return the first line under *line* that is more than a comment."""
    target = line + 1
    while target <= source.line_count:
        text = source.line(target)
        if text.startswith(_DIRECTIVES) or not text.lstrip().startswith("#"):
            break
        target += 1
    return target
