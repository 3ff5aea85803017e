"""Pipes that hide how the program at their head ended."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sbatchlint.launch.plan import Program
from sbatchlint.lint.ask.code_text import words_in_code
from sbatchlint.lint.ask.nodes import Place, nodes_of
from sbatchlint.lint.ask.once import asked_by_key
from sbatchlint.lint.ask.shell_modes import files_may_switch_on, is_switched_off_at, may_switch_on
from sbatchlint.lint.ask.work import has_work, is_small, work_at
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import (
    AndOr,
    ArithmeticFor,
    CommandSubstitution,
    DoubleQuoted,
    For,
    HereDocument,
    If,
    Pipeline,
    Simple,
    SingleQuoted,
    Statement,
    While,
)
from sbatchlint.source import Span

_NEXT_LOOKS = regex(r"\$\?")
_PIPE = regex(r"(?<!\|)\|&?(?:[ \t]|\\\n)*$")
_BEGINS = regex(r";|&&|\|\||(?<!\\)\n|[\"'{(]|\bthen\b|\bdo\b")
_MAY_FAIL = regex(r"(?:true|:|echo|printf)\b|:$")
_ENDS = regex(r";|&&|\|\||(?<!\\)\n")
_NEXT = regex(r";|(?<!\\)\n")
_WORD = regex(r"#[^\n]*|[^\s;]+")
_CLOSERS = frozenset(("fi", "done", "}", ")", "esac", ";;"))
_NEAR = 2_000


@dataclass(frozen=True, slots=True)
class HidingPipe:
    """``srun ... | tee file`` without ``pipefail``, where somebody relies on how it ends."""

    span: Span
    work: Span
    """Where the program whose status is lost is started."""
    last: Span
    """The command whose status is taken instead."""
    name: str
    last_statement: bool
    """True where the script ends with it: its status is that of the job."""
    errexit: bool
    """True where ``set -e`` is meant to stop the script."""
    alternative: bool
    """True where ``||`` is meant to do something if it fails."""
    in_round: bool
    """True in a loop, where only ``set -e`` asks: the next round may be meant to start after a failure."""
    file_decides: bool
    """True where a file that the script sources may have said ``set -o pipefail``."""


def hiding_pipes(job: Job) -> Iterator[HidingPipe]:
    """Yield the pipes that a step or a program is fed into, and whose status decides something."""
    if may_switch_on(job, "pipefail") or "PIPESTATUS" in job.source.text:
        return
    errexit = may_switch_on(job, "errexit")
    ends = job.script.body[-1] if job.script.body and not job.interactive else None
    for pipeline, place in nodes_of(job, Pipeline):
        if place.inside(CommandSubstitution) or pipeline.negated:
            continue
        found = _work_of(job, pipeline)
        last = pipeline.commands[-1]
        if found is None or not isinstance(last, Simple) or not last.words:
            continue
        is_end = isinstance(ends, Statement) and ends.command is pipeline and not ends.background
        name = last.name
        alternative = _alternative(job, pipeline, place)
        asked = is_end or alternative or _is_looked_at(job, pipeline)
        stops = errexit and not is_switched_off_at(job, "errexit", pipeline.span)
        decides = asked or stops
        if name is None or not decides or alternative is None:
            continue
        in_round = not asked and place.inside(For, ArithmeticFor, While)
        by_file = files_may_switch_on(job, "pipefail", pipeline.span)
        yield HidingPipe(pipeline.span, found, last.span, name, is_end, stops, alternative, in_round, by_file)


def _work_of(job: Job, pipeline: Pipeline) -> Span | None:
    """Where the pipe's work is started, if its last command is none of it."""
    if has_work(job, pipeline.commands[-1].span):
        return None
    found = [work_at(job, command.span) for command in pipeline.commands[:-1]]
    return next((work for work in reversed(found) if work is not None), None)


def _alternative(job: Job, pipeline: Pipeline, place: Place) -> bool | None:
    """Tell whether something is done if the pipe fails; None where it may fail, or is itself a condition."""
    if any(isinstance(node, (If, While)) and not _in_body(node, pipeline) for node in place.around):
        return None
    around = place.around[-1] if place.around else None
    if not isinstance(around, AndOr):
        return False
    here = around.commands.index(pipeline)
    for operator, command in zip(around.operators[here:], around.commands[here + 1 :], strict=True):
        if operator == "||":
            return None if _MAY_FAIL.match(job.source.slice(command.span)) else True
    return False


def _in_body(node: If | While, pipeline: Pipeline) -> bool:
    if isinstance(node, While):
        return any(pipeline.span in statement.span for statement in node.body)
    bodies = [*(body for _, body in node.branches), node.otherwise]
    return any(pipeline.span in statement.span for body in bodies for statement in body)


def _is_looked_at(job: Job, pipeline: Pipeline) -> bool:
    """Tell whether the statement behind the pipe reads ``$?``."""
    behind = _statement_behind(job).get(pipeline.span)
    return behind is not None and _NEXT_LOOKS.search(job.source.slice(behind[0].span)) is not None


@asked_by_key
def _statement_behind(job: Job) -> Iterator[tuple[Span, Statement]]:
    for statements in _bodies(job):
        yield from ((before.command.span, after) for before, after in pairwise(statements))


def _bodies(job: Job) -> Iterator[tuple[Statement, ...]]:
    yield job.script.body
    for statement, _ in nodes_of(job, Statement):
        body = getattr(statement.command, "body", None)
        if isinstance(body, tuple):
            yield body


@dataclass(frozen=True, slots=True)
class PipeInTask:
    """``bash -c "python train.py | tee file"`` in a step: each task ends as ``tee`` does."""

    tee: Span
    work: Span
    name: str
    """The program whose status is lost."""
    behind: Span | None
    """The word with which the commands behind the pipe begin; None where the code ends with it."""
    asked: bool
    """True where the first of those reads ``$?``."""


def pipes_in_tasks(job: Job) -> Iterator[PipeInTask]:
    """Yield the pipes into ``tee`` that start the last program of a step's code, without ``pipefail``."""
    if words_in_code(job, "pipefail") or "PIPESTATUS" in job.source.text:
        return
    seen: set[Span] = set()
    own = [pipeline.span for pipeline, _ in nodes_of(job, Pipeline)]
    for step in job.plan.steps:
        if len(step.programs) < 2 or step.nested:
            continue
        head, tee = step.programs[-2:]
        if tee.name != "tee" or tee.span is None or head.span is None or is_small(head) or tee.span in seen:
            continue
        if _is_fed_by(job, tee.span, head) and not any(tee.span in span for span in own):
            seen.add(tee.span)
            behind = _behind(job, tee.span)
            rest = job.source.text[behind.start :].splitlines()[0] if behind is not None else ""
            asked = _NEXT_LOOKS.search(rest.partition(";")[0]) is not None
            yield PipeInTask(tee.span, head.span, head.name or head.target.show(), behind, asked)


def _behind(job: Job, tee: Span) -> Span | None:
    """The first word behind the pipe's line that is more than the end of a compound command."""
    texts = [node.span for node, _ in nodes_of(job, DoubleQuoted)]
    texts += [node.span for node, _ in nodes_of(job, SingleQuoted)]
    texts += [node.body.span for node, _ in nodes_of(job, HereDocument)]
    around = [span for span in texts if tee in span]
    if not around:
        return None
    whole = min(around, key=len)
    end = whole.end - (job.source.text[whole.end - 1] in "\"'")
    stop = _NEXT.search(job.source.text, tee.end, end)
    if stop is None:
        return None
    for word in _WORD.finditer(job.source.text, stop.end(), end):
        if not word.group().startswith("#") and word.group() not in _CLOSERS:
            return Span(*word.span())
    return None


def _is_fed_by(job: Job, tee: Span, head: Program) -> bool:
    """Tell whether the command before the pipe into *tee* is *head*, as far as its text shows."""
    before = job.source.text[max(0, tee.start - _NEAR) : tee.start]
    pipe = _PIPE.search(before)
    if pipe is None:
        return False
    if head.span is not None and head.span.end <= tee.start - len(before) + pipe.start():
        between = job.source.text[head.span.end : tee.start - len(before) + pipe.start()]
        if not _ENDS.search(between):
            return True
    command = _BEGINS.split(before[: pipe.start()])[-1].split()
    if not command:
        return False
    names = {layer.name for layer in head.layers} | {(head.words[0].text or "").rsplit("/", 1)[-1]}
    return command[0].startswith("$") or command[0].rsplit("/", 1)[-1] in names
