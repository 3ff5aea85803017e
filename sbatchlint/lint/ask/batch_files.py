"""Files that the batch shell itself makes and then names to the tasks of a step."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from sbatchlint.launch.plan import EarlyExpansion, Step
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Redirect, Simple
from sbatchlint.source import Span

_MAKING = frozenset("cp mv install ln chmod touch tee sed mkdir".split())
"""Commands that leave a file, or work on one that is there on the batch host."""
_NAME = regex(r"[^\s\"'`;|&<>()=,]+")


def names_made_file(job: Job, step: Step, early: EarlyExpansion) -> bool:
    """Tell whether the text belongs to the name of a file that the batch shell has made before *step*.

    The tasks are then to get that very file: the name has to be expanded where the file was made.
    """
    name = posixpath.normpath(early.word.value.show())
    if any(made == name or made.endswith(f"/{name}") for made in job.plan.written):
        return True
    written = _name_around(job, early.span)
    return any(made == written and span.start < step.span.start for made, span in _made(job))


@asked_once
def _made(job: Job) -> Iterator[tuple[str, Span]]:
    """The names of files as they are written in redirections and commands of the batch shell."""
    for redirect, _ in nodes_of(job, Redirect):
        if ">" in redirect.operator:
            yield _without_quotes(job, redirect.target.span), redirect.target.span
    for simple, _ in nodes_of(job, Simple):
        if simple.name in _MAKING:
            for word in simple.words[1:]:
                yield _without_quotes(job, word.span), word.span


def _without_quotes(job: Job, span: Span) -> str:
    return job.source.slice(span).strip("\"'").removeprefix("./")


def _name_around(job: Job, span: Span) -> str:
    """The name of a file, as written, that *span* is part of."""
    line = job.source.line_around(span.start)
    for match in _NAME.finditer(job.source.text, line.start, line.end):
        if match.end() > span.start:
            return match.group().removeprefix("./")
    return ""


__all__ = ["names_made_file"]
