"""Editing the block of ``#SBATCH`` lines without hurting what else is written there."""

from __future__ import annotations

import re
import shlex

from sbatchlint.fix.edit import Edit
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.slurm.directives import BLANKS, DirectiveLine
from sbatchlint.slurm.options import Argument
from sbatchlint.slurm.request import RequestProblem
from sbatchlint.source import Span

_PLAIN = regex(r"[\w@%+=:,./-]*", re.ASCII)


def add_directive(job: Job, text: str) -> Edit | None:
    """An edit that puts ``#SBATCH text`` behind the last directive that sbatch reads.

    None where there is no directive to put it behind, or where the job is heterogeneous: which
    component is meant is then not told.
    """
    lines = job.request.directives.lines
    if not lines or job.request.hetjob:
        return None
    end = lines[-1].span.end
    return Edit(Span(end, end), f"\n#SBATCH {text}")


def remove_options(job: Job, spans: list[Span]) -> tuple[Edit, ...] | None:
    """Edits that take the options at *spans* out of their directives.

    A line with nothing else on it goes as a whole; its comment stays as a line of its own.  None where
    a line holds text that is not understood.
    """
    edits: list[Edit] = []
    for line in job.request.directives.lines:
        inside = [span for span in spans if span in line.span]
        if not inside:
            continue
        if line.lost is not None or line.separator:
            return None
        edits += _without(job, line, inside)
    return tuple(edits)


def _without(job: Job, line: DirectiveLine, spans: list[Span]) -> list[Edit]:
    rest = [token for token in line.tokens if not any(token.span in span for span in spans)]
    if rest:
        return [Edit(Span(_before_blanks(job, span.start), span.end), "") for span in spans]
    if line.comment is not None:
        return [Edit(Span(line.span.start, line.comment.start), "")]
    text = job.source.text
    if line.span.end < len(text):
        return [Edit(Span(line.span.start, line.span.end + 1), "")]
    return [Edit(Span(max(0, line.span.start - 1), line.span.end), "")]


def _before_blanks(job: Job, start: int) -> int:
    while start and job.source.text[start - 1] in BLANKS:
        start -= 1
    return start


def as_shell_word(text: str) -> str | None:
    """*text*, which a directive takes as it is, written as a word of a shell command.

    None where it holds what only a shell expands: the author believed that a directive does too.
    """
    if _PLAIN.fullmatch(text):
        return text
    if "$" in text or "`" in text or "\n" in text:
        return None
    name, equals, value = text.partition("=")
    if equals and _PLAIN.fullmatch(name):
        return f"{name}={shlex.quote(value)}"
    return shlex.quote(text)


def refused_option(job: Job, problem: RequestProblem) -> str | None:
    """The option of *problem* with its value as one word, quotes and backslashes removed.

    None where it is part of a bundle of short options (``-Hl``), so that it can't be taken out alone.
    """
    value = refused_value(job, problem)
    if problem.name.startswith("--"):
        return problem.name if value is None else f"{problem.name}={value}"
    if problem.text == problem.name:
        return problem.name + (value or "")
    takes = problem.spec is not None and problem.spec.argument("srun") is not Argument.NONE
    return problem.text if takes and problem.text.startswith(problem.name) else None


def refused_value(job: Job, problem: RequestProblem) -> str | None:
    """The value that the option of *problem* was given; None for none."""
    head, equals, glued = problem.text.partition("=")
    if problem.name.startswith("--") and equals and head == problem.name:
        return glued
    if problem.text != problem.name:
        return problem.text[len(problem.name) :] if problem.text.startswith(problem.name) else None
    words = [
        token.value
        for line in job.request.directives.lines
        for token in line.tokens
        if token.span in problem.span
    ]
    return words[1] if len(words) > 1 else None
