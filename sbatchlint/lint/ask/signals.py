"""Who gets the signal of ``--signal``, and whether the script can act on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import Function, Simple, Statement
from sbatchlint.slurm.grammar.base import Context
from sbatchlint.slurm.grammar.signals import signal_number
from sbatchlint.slurm.options import KNOWN_RELEASES
from sbatchlint.source import Span

_READING = Context("signal", KNOWN_RELEASES[-1])


@dataclass(frozen=True, slots=True)
class Trap:
    """``trap handler SIGNAL...`` of the batch shell."""

    span: Span
    numbers: frozenset[int]
    ignores: bool
    """True for an empty handler: the signal has no effect."""
    handler: str | None
    """Its text, often the name of a function; None where it is not written out."""


def traps_of(job: Job) -> Iterator[Trap]:
    """Yield the traps that the script's own shell sets, those in functions too."""
    for simple, _ in nodes_of(job, Simple):
        if len(simple.words) < 3 or simple.words[0].literal != "trap":
            continue
        handler, *names = simple.words[1:]
        if handler.literal == "--" and len(names) > 1:
            handler, *names = names
        numbers = {signal_number(name.literal or "", _READING) for name in names}
        yield Trap(simple.span, frozenset(numbers - {0}), handler.literal == "", handler.literal)


def runs_something_else(job: Job) -> bool:
    """Tell whether the script reads another file, or is replaced by another program."""
    firsts = [simple.words[0].literal for simple, _ in nodes_of(job, Simple) if simple.words]
    return any(first in ("source", ".", "exec", "eval") for first in firsts)


def waits_for_jobs(job: Job) -> bool:
    """Tell whether the script waits for something in the background, or has anything there.

    What the handler of a trap does is too late to count.
    """
    handlers = {trap.handler for trap in traps_of(job)}
    late = [function.span for function, _ in nodes_of(job, Function) if function.name in handlers]
    waits = (simple.span for simple, _ in nodes_of(job, Simple) if _first(simple) == "wait")
    started = (statement.span for statement, _ in nodes_of(job, Statement) if statement.background)
    return any(not any(span in body for body in late) for span in (*waits, *started))


def _first(simple: Simple) -> str | None:
    return simple.words[0].literal if simple.words else None


def mentions_word(job: Job, word: str) -> bool:
    """Tell whether *word* stands anywhere in the script but in a comment."""
    comments = [comment.span for comment in job.script.comments]
    found = re.finditer(rf"\b{re.escape(word)}\b", job.source.text)
    return any(not any(span.start <= match.start() < span.end for span in comments) for match in found)


def is_in_function(job: Job, span: Span) -> bool:
    """Tell whether *span* stands in a function, which another shell may run."""
    return any(span in function.span for function, _ in nodes_of(job, Function))
