"""Directives below the first command, where sbatch no longer reads, and what they may be there for."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from sbatchlint.lint.ask.lookalikes import options_of_line
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple
from sbatchlint.slurm.directives import DirectiveLine

_OPTION = regex(r"--[A-Za-z][\w-]*(?:=.|$)")
_FEW = 2
"""Words of an option and its value."""
_ELLIPSIS = regex(r"[\[<(]?(?:\.{3,}|…)[\])>]?")


class LateKind(Enum):
    """What a directive is that stands too late."""

    MEANT = "meant"
    """Nothing says that it is not meant to be read."""
    ELLIPSIS = "ellipsis"
    """A line of dots, as in documentation, stands for what is left out before it."""
    LEFT_OVER = "left over"
    """The script has ended before it, or says the same at its head and goes on with comments alone."""


@dataclass(frozen=True, slots=True)
class LateDirective:
    """A directive that sbatch does not see."""

    line: DirectiveLine
    kind: LateKind


@asked_once
def late_directives(job: Job) -> Iterator[LateDirective]:
    """Yield the lines below the first command that are directives but for their place, in order.

    Lines inside a here-document or a string belong to another script, and prose is none.
    """
    directives = job.request.directives
    if directives.stop is None or not directives.late:
        return
    comments = {comment.span.start for comment in job.script.comments}
    dots = _ELLIPSIS.fullmatch(job.source.line(directives.stop).strip()) is not None
    for line in directives.late:
        if line.span.start in comments and _has_options(job, line):
            left_over = bool(directives.lines) and _is_left_over(job, line)
            kind = LateKind.ELLIPSIS if dots else LateKind.LEFT_OVER if left_over else LateKind.MEANT
            yield LateDirective(line, kind)


def _has_options(job: Job, line: DirectiveLine) -> bool:
    options = options_of_line(job, line)
    if options is None:  # sbatch would refuse it, which is no reason to say nothing; but it may be prose
        return len(line.tokens) <= _FEW and _OPTION.match(line.tokens[0].value) is not None
    return bool(options)


def _is_left_over(job: Job, line: DirectiveLine) -> bool:
    """Tell whether the shell never comes here, or only comments follow and the head gives the options."""
    above = [statement for statement in job.script.body if statement.span.end <= line.span.start]
    if any(isinstance(one.command, Simple) and one.command.name == "exit" for one in above):
        return True
    if any(statement.span.end > line.span.start for statement in job.script.body):
        return False
    options = options_of_line(job, line)
    return bool(options) and all(job.request.get(use.spec.long) is not None for use in options or ())


__all__ = ["LateDirective", "LateKind", "late_directives"]
