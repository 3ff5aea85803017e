"""Writing the comments that answer findings, and proving that they do that and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from sbatchlint.adopt.spots import Spot, Spots
from sbatchlint.fix.guards import Guards
from sbatchlint.fix.shift import Shift
from sbatchlint.lint.builtin import SuppressionRule
from sbatchlint.lint.extent import CommandLines
from sbatchlint.lint.job import Job
from sbatchlint.lint.scopes import find_suppressions
from sbatchlint.records import dataclass
from sbatchlint.shell.lexer import Kind, Lexer
from sbatchlint.shell.quoting import Unterminated
from sbatchlint.slurm.directives import read_directives
from sbatchlint.source import Source

if TYPE_CHECKING:
    from sbatchlint.fix.edit import Edit
    from sbatchlint.lint.engine import FileResult
    from sbatchlint.lint.finding import Finding
    from sbatchlint.lint.registry import Registry

Lint = Callable[[Source], "FileResult"]
"""Looks at a version of the file as the run did."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of it."""

    result: FileResult
    """What is found in the text with the comments, which is its source."""
    count: int
    """How many findings the comments answer."""
    left: tuple[Finding, ...]
    """The findings that no comment could answer, as they were found before."""


def add_ignores(
    result: FileResult, lint: Lint, registry: Registry, reason: str = "", guards: Guards | None = None
) -> Answered:
    """Answer each finding of *result* by a comment that gives *reason*; nothing is written anywhere.

    Findings about suppressions themselves are left: a comment against a comment helps nobody.  With the
    comments in place none of the answered findings stands, no new one does, the commands and directives are
    read as before, and bash reads the script if it did.
    """
    wanted = [one for one in result.findings if not is_about_comments(registry, one.code)]
    writing = _Writing(result, lint, registry, reason, guards or Guards())
    done = writing.together(wanted) or writing.one_by_one(wanted)
    left = tuple(finding for finding in result.findings if finding not in done.spots)
    return Answered(done.result or result, len(done.spots), left)


@dataclass(slots=True)
class _Trial:
    """Findings with the spots of their comments, and what came of writing these."""

    spots: Mapping[Finding, Spot]
    failed: set[Finding] = field(default_factory=set)
    """The findings whose comment does not do; all of them where nobody knows whose."""
    sure: bool = True
    """Whether ``failed`` are surely the guilty ones."""
    result: FileResult | None = None


class _Writing:
    def __init__(
        self, result: FileResult, lint: Lint, registry: Registry, reason: str, guards: Guards
    ) -> None:
        self._result = result
        self._source = result.source
        self._lint = lint
        self._registry = registry
        self._reason = reason
        self._guards = guards
        script = Job(result.source).script
        suppressions = find_suppressions(self._source, script, self._codes)
        self._spots = Spots(self._source, CommandLines(self._source, script), suppressions)
        self._shape = shape(self._source)

    def together(self, findings: Sequence[Finding]) -> _Trial | None:
        """Write all comments at once, each at its first spot that does; None where that tells too little."""
        choices = {finding: list(self._candidates(finding)) for finding in findings}
        while True:
            trial = self._try({finding: spots[0] for finding, spots in choices.items() if spots})
            if not trial.failed:
                return trial
            if not trial.sure:
                return None
            for finding in trial.failed:
                del choices[finding][0]

    def one_by_one(self, findings: Sequence[Finding]) -> _Trial:
        """Write one comment after the other, and keep what does."""
        kept = _Trial({})
        for finding in findings:
            for spot in self._candidates(finding):
                trial = self._try({**kept.spots, finding: spot})
                if not trial.failed:
                    kept = trial
                    break
        return kept

    def _candidates(self, finding: Finding) -> Iterable[Spot]:
        return self._spots.of(self._source.position(finding.span.start).line)

    def _try(self, spots: Mapping[Finding, Spot]) -> _Trial:
        if not spots:
            return _Trial(spots)
        guilty = {
            spot
            for spot in set(spots.values())
            if self._changes_commands([spot.edit(self._source, ["SB000"], self._reason)])
        }
        failed = {finding for finding, spot in spots.items() if spot in guilty}
        if failed:
            return _Trial(spots, failed)
        edits = self._edits(spots)
        after = self._source.edited((edit.span, edit.text) for edit in edits)
        shift = Shift(edits)
        failed = self._unanswered(spots, after, shift)
        if failed:
            return _Trial(spots, failed)
        if self._changes_commands(edits) or self._guards.breaks_syntax(self._source, after):
            return _Trial(spots, set(spots), sure=False)
        return self._judged(spots, self._lint(after), shift)

    def _edits(self, spots: Mapping[Finding, Spot]) -> list[Edit]:
        """Return one edit a spot, in the order of the text."""
        codes: dict[Spot, set[str]] = {}
        for finding, spot in spots.items():
            codes.setdefault(spot, set()).add(finding.code)
        return [spot.edit(self._source, sorted(codes[spot]), self._reason) for spot in sorted(codes)]

    def _changes_commands(self, edits: Sequence[Edit]) -> bool:
        return shape(self._source.edited((edit.span, edit.text) for edit in edits)) != self._shape

    def _unanswered(self, spots: Mapping[Finding, Spot], after: Source, shift: Shift) -> set[Finding]:
        """Return the findings that the comments in *after* do not reach, without asking any rule."""
        suppressions = find_suppressions(after, Job(after).script, self._codes)
        failed = set()
        for finding in spots:
            line = after.position(shift.inner(finding.span).start).line
            if not any(scope.code == finding.code and scope.reaches(line) for scope in suppressions.scopes):
                failed.add(finding)
        return failed

    def _judged(self, spots: Mapping[Finding, Spot], result: FileResult, shift: Shift) -> _Trial:
        """Compare what is found now with what should be."""
        others = Counter(
            (one.code, shift.inner(one.span).start) for one in self._result.findings if one not in spots
        )
        answered = {(one.code, shift.inner(one.span).start): one for one in spots}
        failed: set[Finding] = set()
        sure = len(result.internal_errors) <= len(self._result.internal_errors)
        for new in result.findings:
            place = new.code, new.span.start
            if others[place] > 0:
                others[place] -= 1
            elif place in answered:
                failed.add(answered[place])
            else:
                sure = False
        if not sure:
            return _Trial(spots, set(spots), sure=False)
        return _Trial(spots, failed, result=result)

    def _codes(self, key: str) -> tuple[str, ...]:
        rule = self._registry.find(key)
        return (rule.code,) if rule else tuple(one.code for one in self._registry.group(key))


def is_about_comments(registry: Registry, code: str) -> bool:
    """Tell whether the rule *code* looks at suppressions and not at the job."""
    rule = registry.find(code)
    return rule is not None and issubclass(rule, SuppressionRule)


def shape(source: Source) -> object:
    """Return what is left of a script without comments and empty lines: commands, documents, directives."""
    lexer = Lexer(source.text, 0, len(source.text))
    tokens: list[str] = []
    try:
        for token in lexer:
            if token.kind is Kind.NEWLINE:
                tokens += ["\n"] if tokens and tokens[-1] != "\n" else []
            elif token.kind is not Kind.COMMENT:
                tokens.append(f"{token.kind.value} {token.text}")
    except Unterminated:
        tokens.append("unterminated")
    documents = [source.text[body.start : body.close] for body in lexer.documents]
    read = read_directives(source)
    directives = [
        (line.prefix, line.component, [token.value for token in line.tokens])
        for line in (*read.lines, *read.late, *read.foreign)
    ]
    return tokens if tokens[-1:] != ["\n"] else tokens[:-1], documents, directives, len(read.lines)
