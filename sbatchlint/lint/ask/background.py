"""Steps in the background that nobody waits for."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.code_text import line_end, without_comments
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.signals import handles_exit
from sbatchlint.lint.ask.work import does_work, is_monitor
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import ArithmeticFor, For, Function, Redirect, Simple, Statement
from sbatchlint.source import Span

_QUICK = frozenset(
    "echo printf date : true set export unset hostname cd mkdir touch squeue scontrol sstat module jobs "
    "chmod disown cp ls exit".split()
)
_HOLDS = regex(
    r"\b(?:wait|while|until|tail|read|sleep|fg|disown)\b|(?<!apptainer )(?<!singularity )(?<!docker )\bexec\b"
)
"""What may hold a script until its steps have ended."""


@dataclass(frozen=True, slots=True)
class Unawaited:
    """Steps that run when the script ends."""

    steps: tuple[Span, ...]
    """Where each is started."""
    end: Span | None
    """The empty place at the end of the line behind which ``wait`` belongs; None where not simple."""


def unawaited_steps(job: Job) -> Unawaited | None:
    """Return the steps that the end of the script kills; None for none, and where something may hold it."""
    body = job.script.body
    working = [step for step in job.plan.steps if step.background and not step.nested and _is_work(step)]
    if not working or not body or handles_exit(job) or job.plan.incomplete:
        return None
    last = max((place for place, statement in enumerate(body) if _starts(statement, working)), default=None)
    if last is None or not all(_is_quick(statement) for statement in body[last + 1 :]):
        return None
    first = last
    while first and _only_starts(job, body[first - 1], working):
        first -= 1
    region = Span(body[first].span.start, body[-1].span.end)
    if _HOLDS.search(without_comments(job, region)) or not _only_starts(job, body[last], working):
        return None
    spans = dict.fromkeys(step.span for step in working if step.line_span in region)
    return Unawaited(tuple(spans), _place(job, body, last))


def _is_work(step: Step) -> bool:
    return does_work(step) and not any(is_monitor(program) for program in step.programs)


def _starts(statement: Statement, steps: list[Step]) -> bool:
    return any(step.line_span in statement.span for step in steps)


def _only_starts(job: Job, statement: Statement, steps: list[Step]) -> bool:
    """Tell whether the statement starts steps in the background and does not wait for anything."""
    if not _starts(statement, steps):
        return False
    if statement.background:
        return True
    if not isinstance(statement.command, (For, ArithmeticFor)):
        return False
    ended = [
        inner
        for inner, _ in nodes_of(job, Statement)
        if inner is not statement and inner.span in statement.span and not inner.background
    ]
    return all(_is_quick(inner) for inner in ended)


def _is_quick(statement: Statement) -> bool:
    """Tell whether the statement is over at once."""
    command = statement.command
    if isinstance(command, Function) or statement.background:
        return True
    return isinstance(command, Simple) and (not command.words or command.name in _QUICK)


def _place(job: Job, body: tuple[Statement, ...], last: int) -> Span | None:
    end = line_end(job, body[last].span)
    follows = body[last + 1].span.start if last + 1 < len(body) else end.start + 1
    documents = any(redirect.document for redirect in _redirects(job, body[last]))
    return end if follows > end.start and not documents else None


def _redirects(job: Job, statement: Statement) -> Iterator[Redirect]:
    for simple, _ in nodes_of(job, Simple):
        if simple.span in statement.span:
            yield from simple.redirects
