"""The jobs of their own that a script submits, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from sbatchlint.launch.plan import JobText, Submission
from sbatchlint.report.plan_job import NOT_TOLD, job_lines
from sbatchlint.report.plan_model import is_telling
from sbatchlint.report.plan_program import ProgramWriter
from sbatchlint.report.plan_rows import INDENT, LABEL
from sbatchlint.report.plan_size import size_line, size_of
from sbatchlint.slurm.request import JobRequest
from sbatchlint.source import Span

_MOST = 8
_MOST_STARTED = 4
_TOLD = ("nodes", "tasks", "GPUs", "partition", "time limit")
"""What is said of such a job, where its own script or line tells it."""


def submissions_block(writer: ProgramWriter) -> Iterator[str]:
    """Write what the script submits; what a loop submits is told once, by its first round."""
    times: Counter[Span] = Counter()
    distinct: dict[Span, Submission] = {}
    for submission in writer.file.plan.submissions:
        distinct.setdefault(submission.span, submission)
        times[submission.span] += 1
    if not distinct:
        return
    yield ""
    yield "  " + writer.rows.style.strong("submits") + ", as jobs of their own"
    for span, submission in list(distinct.items())[:_MOST]:
        yield from _one(writer, submission, times[span])
    if len(distinct) > _MOST:
        yield from writer.rows.row("", f"and {len(distinct) - _MOST} more")


def _one(writer: ProgramWriter, submission: Submission, times: int) -> Iterator[str]:
    marks = {
        f"{times} times": times > 1,
        "once per task": submission.in_task,
        "may not run": submission.conditional,
        "rests on a default": submission.assumed,
    }
    words = writer.speller.words(submission.words)
    *lines, last = writer.rows.words(writer.line(submission.span), words, end=" \\")
    yield from [*lines, last + writer.rows.marks([mark for mark, applies in marks.items() if applies])]
    if submission.request is None:
        text = "what its line and a script say that is not known here"
        yield from writer.rows.row("  asks for", writer.rows.style.unknown(text))
        return
    yield from writer.rows.text("  asks for", writer.speller.text(_asks_for(submission.request)))
    if submission.text is JobText.ITSELF:
        yield from writer.rows.row("  starts", "this script again")
    elif submission.plan is not None:
        yield from _starts(writer, submission, submission.request)


def _asks_for(request: JobRequest) -> str:
    lines = {line.label: line for line in job_lines(request)}
    told = [lines[name] for name in _TOLD if name in lines and not lines[name].vague]
    return "; ".join(f"{line.label} {line.text}" for line in told if line.text != NOT_TOLD) or NOT_TOLD


def _starts(writer: ProgramWriter, submission: Submission, request: JobRequest) -> Iterator[str]:
    """Write the steps of a submitted job, each with its size and its command lines."""
    assert submission.plan is not None
    width = writer.rows.room + INDENT + LABEL
    file = replace(writer.file, request=request, plan=submission.plan)
    inner = ProgramWriter(file, writer.rows.style, width)
    plan = submission.plan
    for step in plan.steps[:_MOST_STARTED]:
        size = size_line(size_of(request, step, None), asks_for_gpus=request.asks_for_gpus)
        yield from writer.rows.row("  step", size)
        for program in step.programs[:_MOST_STARTED]:
            yield from inner.command(program, "")
    rest = len(plan.steps) - _MOST_STARTED
    if rest > 0:
        yield from writer.rows.row("", f"and {rest} more steps")
    telling = [program for program in plan.host_programs if is_telling(program)]
    for program in telling[:_MOST_STARTED]:
        yield from inner.command(program, "  starts")


__all__ = ["submissions_block"]
