"""Who gets the signal of ``--signal``, and whether the script can act on it."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.shell.syntax import Function, Simple, Statement
from sbatchlint.slurm.grammar.base import Context
from sbatchlint.slurm.grammar.signals import signal_number
from sbatchlint.slurm.options import KNOWN_RELEASES
from sbatchlint.source import Span

_READING = Context("signal", KNOWN_RELEASES[-1])
_EXIT = frozenset(("EXIT", "ERR", "0", "SIGEXIT"))


@dataclass(frozen=True, slots=True)
class Trap:
    """``trap handler SIGNAL...`` of the batch shell."""

    span: Span
    numbers: frozenset[int]
    of_exit: bool
    """True where the end of the shell, or an error in it, is trapped too (``EXIT``, ``ERR``)."""
    ignores: bool
    """True for an empty handler: the signal has no effect."""
    handler: str | None
    """Its text, often the name of a function; None where it is not written out."""


@asked_once
def traps_of(job: Job) -> Iterator[Trap]:
    """The traps that the script's own shell sets, those in functions too."""
    for simple, _ in nodes_of(job, Simple):
        if len(simple.words) < 3 or simple.name != "trap":
            continue
        handler, *names = simple.words[1:]
        if handler.literal == "--" and len(names) > 1:
            handler, *names = names
        conditions = {name.literal or "" for name in names}
        numbers = frozenset(signal_number(name, _READING) for name in conditions) - {0}
        of_exit = not _EXIT.isdisjoint(map(str.upper, conditions))
        yield Trap(simple.span, numbers, of_exit, handler.literal == "", handler.literal)


def handles_exit(job: Job) -> bool:
    """Tell whether the script traps its end or its errors (``trap ... EXIT``, ``trap ... ERR``)."""
    return any(trap.of_exit for trap in traps_of(job))


def runs_something_else(job: Job) -> bool:
    """Tell whether the script reads another file, or is replaced by another program."""
    return any(simple.name in ("source", ".", "exec", "eval") for simple, _ in nodes_of(job, Simple))


def waits_for_jobs(job: Job) -> bool:
    """Tell whether the script waits for something in the background, or has anything there.

    What the handler of a trap does is too late to count.
    """
    handlers = {trap.handler for trap in traps_of(job)}
    late = [function.span for function, _ in nodes_of(job, Function) if function.name in handlers]
    waits = (simple.span for simple, _ in nodes_of(job, Simple) if simple.name == "wait")
    started = (statement.span for statement, _ in nodes_of(job, Statement) if statement.background)
    return any(not any(span in body for body in late) for span in (*waits, *started))


def is_in_function(job: Job, span: Span) -> bool:
    """Tell whether *span* stands in a function, which another shell may run."""
    return any(span in function.span for function, _ in nodes_of(job, Function))
