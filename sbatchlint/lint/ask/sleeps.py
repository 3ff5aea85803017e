"""``sleep N`` where the script should wait for something else to be done."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import Program, Step
from sbatchlint.lint.ask.work import is_small
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple, Statement
from sbatchlint.source import Span

_BRANCH = regex(r"\b(while|until|for|do|then|else|elif)\b|(&&|\|\|)")
_TIME = regex(r"\d+s?")
_NEAR = 300
_PREPARES = frozenset(
    "uv pip pip3 conda mamba poetry git wget curl cp rsync tar unzip huggingface-cli hf aws gsutil make "
    "cmake enroot apptainer singularity".split()
)
"""Tools that get something ready; small ones too."""


@dataclass(frozen=True, slots=True)
class Barrier:
    """A ``sleep`` that stands for waiting."""

    span: Span
    seconds: str
    awaited: Span
    """Where that is started which should be done by then."""
    name: str
    in_task: bool
    """True where tasks of one step wait for another of its tasks; else the batch shell waits for a step."""


def sleeping_barriers(job: Job) -> Iterator[Barrier]:
    """Yield each sleep in one branch of a step, or in all tasks, while another branch gets something ready.

    Then those in the batch shell between a step that it has put into the background and the next step.
    """
    seen: set[Span] = set()
    for step in job.plan.steps:
        for barrier in _in_tasks(job, step):
            if barrier.span not in seen:
                seen.add(barrier.span)
                yield barrier
    yield from _between_steps(job)


def _in_tasks(job: Job, step: Step) -> Iterator[Barrier]:
    tasks = step.geometry.tasks
    if tasks is not None and tasks.value < 2:
        return
    for place, program in enumerate(step.programs):
        seconds = _seconds(program)
        if seconds is None or program.span is None:
            continue
        before = next((one for one in reversed(step.programs[:place]) if _gets_ready(one)), None)
        after = [one for one in step.programs[place + 1 :] if not one.conditional and not is_small(one)]
        if before is None or before.span is None or not before.conditional or not after:
            continue
        if not program.conditional:
            waits = step.programs[place - 1] is before and before.name in _PREPARES
        else:
            waits = _word_before(job, program.span) in ("else", "||")
        if waits:
            yield Barrier(program.span, seconds, before.span, _words(before), True)


def _between_steps(job: Job) -> Iterator[Barrier]:
    body = job.script.body
    for place, statement in enumerate(body):
        seconds = _sleep(statement)
        if seconds is None or not 0 < place < len(body) - 1:
            continue
        started = [s for s in job.plan.steps if s.background and s.line_span in body[place - 1].span]
        follows = [s for s in job.plan.steps if s.line_span in body[place + 1].span]
        if started and follows and started[-1].programs and not started[-1].nested:
            program = started[-1].programs[-1]
            yield Barrier(statement.span, seconds, started[-1].span, _words(program), False)


def _sleep(statement: Statement) -> str | None:
    command = statement.command
    if not isinstance(command, Simple) or len(command.words) != 2 or statement.background:
        return None
    name, seconds = (word.literal for word in command.words)
    return (
        seconds.rstrip("s") if name == "sleep" and seconds is not None and _TIME.fullmatch(seconds) else None
    )


def _seconds(program: Program) -> str | None:
    """What a ``sleep`` of a known time waits; None for another program."""
    if program.name != "sleep" or len(program.arguments) != 1:
        return None
    text = program.arguments[0].text
    return text.rstrip("s") if text is not None and _TIME.fullmatch(text) else None


def _gets_ready(program: Program) -> bool:
    first = (program.words[0].text or "").rsplit("/", 1)[-1] if program.words else ""
    return first in _PREPARES or (not is_small(program) and program.name is not None)


def _words(program: Program) -> str:
    return " ".join(word.value.show() for word in program.words[:2])


def _word_before(job: Job, span: Span) -> str:
    """The last word of the shell's grammar before the sleep: what decides whether it runs."""
    text = job.source.text[max(0, span.start - _NEAR) : span.start]
    found = list(_BRANCH.finditer(text))
    return found[-1][0] if found else ""
