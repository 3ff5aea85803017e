"""Words in directives that sbatch takes for no option: what they follow, and what they were meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.complaints import swallowed_options
from sbatchlint.lint.ask.dashes import dash_slips
from sbatchlint.lint.ask.odd_characters import odd_characters
from sbatchlint.lint.ask.placeholders import is_template, placeholders
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.slurm.directives import DirectiveLine
from sbatchlint.slurm.getopt import ProblemKind
from sbatchlint.slurm.option_use import OptionUse
from sbatchlint.slurm.request import RequestProblem
from sbatchlint.source import Span

_NAMES = (ProblemKind.UNKNOWN, ProblemKind.AMBIGUOUS, ProblemKind.WRONG_COMMAND)


@dataclass(frozen=True, slots=True)
class StrayText:
    """The words from the first stray one to the end of its line, its comment left out."""

    problem: RequestProblem
    line: DirectiveLine
    span: Span
    words: tuple[str, ...]
    after: OptionUse | None
    """The option just before it on the line."""

    @property
    def follows(self) -> bool:
        """Whether only options, or nothing, come after the first word."""
        return all(word.startswith("-") for word in self.words[1:2])

    @property
    def wants_value(self) -> bool:
        """Whether the option before takes a value that has to be glued to it (``--exclusive=user``)."""
        return self.after is not None and self.after.value is None


def stray_texts(job: Job) -> Iterator[StrayText]:
    """Yield the stray text of each directive line that has some.

    Placeholders, characters that are not ASCII, wrong dashes and names that sbatch does not know are other
    rules' business: mended, the line reads otherwise.
    """
    strays = [problem for problem in job.request.problems if problem.kind is ProblemKind.STRAY_WORD]
    if not strays or is_template(job):
        return
    passed_over = _told_of_otherwise(job)
    lines = {line.number: line for line in job.request.directives.lines}
    for problem in strays:
        line = lines.get(problem.line)
        if line is None or problem.line in passed_over:
            continue
        words = [token for token in line.tokens if token.span.start >= problem.span.start]
        span = Span(problem.span.start, words[-1].span.end)
        yield StrayText(problem, line, span, tuple(w.value for w in words), _before(job, problem.span))


def _told_of_otherwise(job: Job) -> set[int]:
    """The lines of which another rule speaks."""
    spans = [odd.span for odd in odd_characters(job)]
    spans += [slip.whole for slip in dash_slips(job)]
    spans += [use.value_span for use in swallowed_options(job) if use.value_span is not None]
    spans += [problem.span for problem in job.request.problems if problem.kind in _NAMES]
    return {job.source.position(span.start).line for span in spans} | {
        place.line for place in placeholders(job)
    }


def _before(job: Job, stray: Span) -> OptionUse | None:
    """The option that ends just before *stray*, on the same line."""
    for use in job.request.all_uses:
        if use.span is not None and use.span.end < stray.start:
            between = job.source.text[use.span.end : stray.start]
            if re.fullmatch(r"[ \t\v\f\r]+", between):
                return use
    return None
