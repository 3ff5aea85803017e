"""Loops that read lines, and steps in them that read those lines away."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.nodes import Place, nodes_of
from sbatchlint.lint.ask.one_line import has_one_line
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.shell.syntax import (
    ArithmeticFor,
    Case,
    For,
    Group,
    If,
    Pipeline,
    Redirect,
    Simple,
    Statement,
    Subshell,
    While,
)
from sbatchlint.source import Span

_COMPOUND = (While, If, For, ArithmeticFor, Case, Group, Subshell)


@dataclass(frozen=True, slots=True)
class StarvedLoop:
    """A loop on ``read`` in which srun takes the standard input that ``read`` needs."""

    srun: Span
    read: Span
    end: Span | None
    """The empty place behind the srun's command, for a redirection; None where it is not a plain one."""


def loops_that_srun_starves(job: Job) -> Iterator[StarvedLoop]:
    """Yield each srun in the foreground that shares its input with the ``read`` of the loop around it."""
    steps = [step for step in job.plan.steps if not step.nested and not step.background]
    if not steps:
        return
    seen: set[Span] = set()
    for loop, place in nodes_of(job, While):
        read = _read(loop)
        if read is None or not _is_fed(loop, place) or has_one_line(loop, place):
            continue
        for simple, inner in nodes_of(job, Simple):
            if loop not in inner.around or simple.span in seen or _has_own_input(loop, simple, inner):
                continue
            step = next((step for step in steps if step.line_span == simple.span), None)
            if step is not None and not _reads_elsewhere(step):
                seen.add(simple.span)
                yield StarvedLoop(step.span, read.span, _end(job, simple))


def _read(loop: While) -> Simple | None:
    """The loop's ``read``, if it reads standard input."""
    if len(loop.condition) != 1 or not isinstance(loop.condition[0].command, Simple):
        return None
    read = loop.condition[0].command
    if read.name != "read" or _feeds(read.redirects):
        return None
    options = [word.literal or "" for word in read.words[1:]]
    return None if any(word.startswith("-") and "u" in word for word in options) else read


def _is_fed(loop: While, place: Place) -> bool:
    """Tell whether a file or a pipe is the loop's input."""
    if _feeds(loop.redirects):
        return True
    around = place.around[-1] if place.around else None
    return isinstance(around, Pipeline) and around.commands[0] is not loop


def _feeds(redirects: tuple[Redirect, ...]) -> bool:
    return any(one.operator.startswith("<") and one.descriptor in ("", "0") for one in redirects)


def _has_own_input(loop: While, simple: Simple, place: Place) -> bool:
    """Tell whether something between the loop and the command gives it another input, or none.

    A command substitution does not: what is started in it reads what the command around it would read.
    """
    if _feeds(simple.redirects):
        return True
    inside = place.around[place.around.index(loop) + 1 :]
    for node in inside:
        if isinstance(node, Statement) and node.background:
            return True
        if isinstance(node, _COMPOUND) and _feeds(node.redirects):
            return True
        if isinstance(node, While) and node.span in loop.span:
            return True
        if isinstance(node, Pipeline) and node.commands[0] is not simple:
            return True
    return False


def _reads_elsewhere(step: Step) -> bool:
    return not step.options_complete or step.get("input") is not None or step.get("pty") is not None


def _end(job: Job, simple: Simple) -> Span | None:
    if any(redirect.document for redirect in simple.redirects):
        return None
    return Span(simple.span.end, simple.span.end)
