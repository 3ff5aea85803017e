"""Lines that look like directives and are none, and whether a line's words are options at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from sbatchlint.lint.ask.option_names import one_slip
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.directive_words import LineScanner, Token
from sbatchlint.slurm.directives import DirectiveLine
from sbatchlint.slurm.getopt import Use, parse
from sbatchlint.source import Span

_MARKER = regex(
    r"(?P<indent>[ \t]*)#(?P<gap>[ \t\u00a0]*)(?P<word>[A-Za-z]{4,8}):?"
    r"(?=[ \t]*[-\u2010-\u2015\u2212]|(?P<separator>[ \t]+(?:hetjob|packjob)[ \t]*$))",
    re.MULTILINE,
)


class Lookalike(Enum):
    """Why sbatch takes a line for a comment that was meant as a directive."""

    LETTER_CASE = "lower-case letters"
    INDENTED = "blanks before the #"
    GAP = "a blank after the #"
    MISSPELT = "a misspelt marker"


@dataclass(frozen=True, slots=True)
class AlmostDirective:
    """One such line."""

    kind: Lookalike
    span: Span
    """The line."""
    marker: Span
    """What should be ``#SBATCH`` at the start of the line."""
    options: tuple[Use, ...]
    """None for ``hetjob``, which is no option."""
    component: int
    """Index of the heterogeneous job's component whose directives stand around it."""


def almost_directives(job: Job) -> Iterator[AlmostDirective]:
    """Yield the comments above the first command that are options or ``hetjob`` behind almost ``#SBATCH``."""
    source, stop = job.source, job.request.directives.stop
    for number in range(2, stop or source.line_count + 1):
        span = source.line_span(number)
        found = _MARKER.match(source.text, span.start, span.end)
        kind = _kind(found) if found else None
        if found is None or kind is None:
            continue
        options = _options(_tokens(job, found.end(), span.end), job.request.release)
        if options or found["separator"]:
            separators = [line for line in job.request.directives.lines if line.separator]
            component = sum(line.number < number for line in separators)
            yield AlmostDirective(kind, span, Span(span.start, found.end()), options or (), component)


def options_of_line(job: Job, line: DirectiveLine) -> tuple[Use, ...] | None:
    """Return the options of a directive line; None where sbatch would refuse or drop a word of it."""
    if line.lost is not None:
        return None
    return _options(line.tokens, job.request.release)


def _kind(found: re.Match[str]) -> Lookalike | None:
    word = found["word"]
    if word.upper() != "SBATCH":
        close = not found["gap"] and word.isupper() and one_slip(word, "SBATCH")
        if word.startswith("SBATCH") and not found["indent"]:
            return None  # for sbatch a directive, whose first word is what stands behind #SBATCH
        return Lookalike.MISSPELT if close else None
    if found["gap"]:
        return Lookalike.GAP if word == "SBATCH" else None
    if word != "SBATCH":
        return Lookalike.LETTER_CASE
    return Lookalike.INDENTED if found["indent"] else None


def _tokens(job: Job, start: int, end: int) -> tuple[Token, ...]:
    scanner = LineScanner(job.source.text, start, end, blank_escapes=True)
    scanner.read()
    return () if scanner.lost or scanner.problems else tuple(scanner.tokens)


def _options(tokens: tuple[Token, ...], release: str | None) -> tuple[Use, ...] | None:
    parsed = parse([token.value for token in tokens], "sbatch", release)
    return None if parsed.problems or parsed.rest < len(tokens) else parsed.uses
