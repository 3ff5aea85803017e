"""Steps that are meant to run side by side, and whether the job has room for them."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import Step
from sbatchlint.lint.ask.nodes import nodes_of, places
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.ask.work import does_work
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import ArithmeticFor, For, Function, Statement, While
from sbatchlint.source import Span

_SHARING = (
    "exact overlap exclusive cpus-per-task cpus-per-gpu het-group jobid nodelist relative exclude nodefile "
    "multi-prog overcommit pty whole".split()
)
"""Options with which a step takes only a part, or is not simply placed."""
_WAIT = regex(r"\bwait\b")


@dataclass(frozen=True, slots=True)
class Queue:
    """Background steps of which not all can run at once."""

    steps: tuple[Step, ...]
    nodes: int
    """How many nodes the job has."""
    each: int
    """How many of them the greatest of the steps takes whole."""


def queued_steps(job: Job) -> Iterator[Queue]:
    """Yield groups of background steps that together ask for more whole nodes than the job has.

    Since 20.11 a step without ``--exact`` and the like takes all CPUs of its nodes for itself.
    """
    nodes = job.request.nodes
    if nodes is None or job.request.hetjob or job.plan.incomplete:
        return
    for group in _groups(job):
        if any(not _takes_whole_nodes(step) for step in group):
            continue
        sizes = [step.geometry.nodes.value for step in group if step.geometry.nodes is not None]
        if len(sizes) < len(group):
            continue
        repeated = sum(size for size, step in zip(sizes, group, strict=True) if _is_repeated(job, step))
        if len(group) + bool(repeated) > 1 and sum(sizes) + repeated > nodes.value:
            yield Queue(tuple(group), nodes.value, max(sizes))


def _groups(job: Job) -> Iterator[list[Step]]:
    """Background steps with no ``wait`` between them, in the order in which they start."""
    group: list[Step] = []
    for step in job.plan.steps:
        if step.nested or step.component is not None:
            continue
        if not step.background or not does_work(step):
            if group:
                yield group
            group = []
            continue
        if group and _waits(job, group[-1].line_span, step.line_span):
            yield group
            group = []
        group.append(step)
    if group:
        yield group


def _waits(job: Job, before: Span, after: Span) -> bool:
    """Tell whether a ``wait`` stands between two commands; for one in a loop, inside the loop."""
    if before == after:
        loop = _loop(job, after)
        return loop is None or _WAIT.search(job.source.slice(loop)) is not None
    start, end = sorted((before.end, after.start))
    return after.start < before.start or _WAIT.search(job.source.text[start:end]) is not None


def _loop(job: Job, span: Span) -> Span | None:
    return min((loop for loop in _loops(job) if span in loop), key=len, default=None)


@asked_once
def _loops(job: Job) -> Iterator[Span]:
    for place in places(job):
        if isinstance(place.node, (For, ArithmeticFor, While)) and not place.inside(Function):
            yield place.node.span


def _is_repeated(job: Job, step: Step) -> bool:
    """Tell whether a loop whose number of rounds is not known starts the step, without waiting."""
    loop = _loop(job, step.line_span)
    if loop is None or _WAIT.search(job.source.slice(loop)):
        return False
    rounds = [other for other in job.plan.steps if other.line_span == step.line_span]
    counted = [node for node, _ in nodes_of(job, Statement) if node.span == loop]
    return len(rounds) == 1 and bool(counted) and step.conditional


def _takes_whole_nodes(step: Step) -> bool:
    return step.options_complete and all(step.effective(name) is None for name in _SHARING)
