"""How a script ends, and whether the end of its work still decides how the job ends.

A job's state is the exit status of its script, which is that of the last command.
"""

from __future__ import annotations

import re
from enum import Enum

from sbatchlint.lint.ask.code_text import line_end
from sbatchlint.lint.ask.log_searches import log_search
from sbatchlint.lint.ask.shell_modes import files_may_switch_on, may_switch_on
from sbatchlint.lint.ask.signals import handles_exit
from sbatchlint.lint.ask.work import does_work, work_at
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import AndOr, Command, If, Pipeline, Simple, Statement, Test
from sbatchlint.source import Span

_ALWAYS_SUCCEEDS = frozenset(
    "echo printf date : true sleep hostname deactivate conda module sacct seff scontrol squeue sstat "
    "nvidia-smi free unset set".split()
)
_CLOSING = _ALWAYS_SUCCEEDS | frozenset(
    "mv cp rm rmdir chmod ls cat touch mkdir df du popd cd sync tar gzip rsync gsutil aws find".split()
)
"""Commands that people put behind the work; each has a status of its own."""
_LOOKS = regex(
    r"\$\?|\$\{?PIPESTATUS|\|\||(?<![\w.-])(?:exit|kill|return|trap|scancel)(?![\w.-])|^\s*exec\b",
    re.MULTILINE,
)
"""What may carry the status on, or decides by it."""
_PLAIN_ZERO = ("exit", "0")


class EndingKind(Enum):
    """Why the script's last line decides how the job ends."""

    COMMAND = "command"
    """A small command, which as good as always succeeds."""
    ZERO = "zero"
    """``exit 0``."""
    TEST = "test"
    """``[ ... ] && command``: the status is 1 where the test is false."""
    SEARCH = "search"
    """``grep ... log``: the status is 1 where no line matches."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The last line of a script that hides how its work ended."""

    kind: EndingKind
    span: Span
    """The last statement."""
    name: str
    """Its command, or for a test that behind ``&&``."""
    work: Span
    """Where the work is started."""
    statement: Span
    """The statement that does it."""
    save_at: Span | None
    """The place behind the work where its status can be saved; None where that is not simple."""
    piped: bool
    """True where the status there is that of the last command of a pipe."""
    asks_status: bool
    """True for a test of ``$?``."""
    errexit: bool
    """True where ``set -e`` may stop the script at the work, so that only a good run comes to the end."""
    file_decides: bool
    """True where a file that the script sources may have said ``set -e``."""


def hiding_end(job: Job) -> Ending | None:
    """Return the end of the script if it hides how the work ended; None where it may not."""
    body = job.script.body
    if len(body) < 2 or body[-1].background or handles_exit(job):
        return None
    found = _kind(job, body[-1].command)
    if found is None:
        return None
    kind, name, asks = found
    errexit = may_switch_on(job, "errexit")
    if kind not in (EndingKind.TEST, EndingKind.SEARCH) and errexit:
        return None
    worked = _work_before(job, body)
    if worked is None:
        return None
    place, work = worked
    statement = body[place]
    plain = isinstance(statement.command, (Simple, Pipeline)) and not _has_document(statement.command)
    simple = plain and not errexit and _ends_its_line(job, body, place)
    at = line_end(job, statement.span) if simple else None
    piped = isinstance(statement.command, Pipeline) and not may_switch_on(job, "pipefail")
    by_file = not errexit and files_may_switch_on(job, "errexit", work)
    return Ending(kind, body[-1].span, name, work, statement.span, at, piped, asks, errexit, by_file)


def _kind(job: Job, command: Command) -> tuple[EndingKind, str, bool] | None:
    if isinstance(command, Simple) and command.words:
        literals = tuple(word.literal for word in command.words)
        name = literals[0]
        if literals == _PLAIN_ZERO:
            return EndingKind.ZERO, "exit 0", False
        if name is not None and _succeeds(literals) and not _LOOKS.search(job.source.slice(command.span)):
            return EndingKind.COMMAND, name, False
    search = log_search(job, command)
    if search is not None:
        return EndingKind.SEARCH if search.may_fail else EndingKind.COMMAND, search.name, False
    if isinstance(command, AndOr) and set(command.operators) == {"&&"} and len(command.commands) == 2:
        test, then = command.commands
        if _is_test(test) and isinstance(then, Simple) and then.name in _CLOSING:
            return EndingKind.TEST, then.name or "", "$?" in job.source.slice(test.span)
    return None


def _succeeds(literals: tuple[str | None, ...]) -> bool:
    """Tell whether the command as good as always succeeds; ``rm -f`` does too."""
    forced = any((word or "").startswith("-") and "f" in (word or "") for word in literals[1:])
    return literals[0] in _ALWAYS_SUCCEEDS or (literals[0] == "rm" and forced)


def _is_test(command: Command) -> bool:
    if isinstance(command, Test):
        return True
    return isinstance(command, Simple) and command.name in ("[", "test")


def _work_before(job: Job, body: tuple[Statement, ...]) -> tuple[int, Span] | None:
    """The last statement that does work, with nothing behind it but small commands."""
    for place in range(len(body) - 2, -1, -1):
        statement = body[place]
        work = work_at(job, statement.span)
        text = job.source.slice(statement.span)
        if statement.background or _LOOKS.search(text):
            return None
        if work is not None:
            return None if _is_aside(job, statement.command, work) else _run_before(job, body, place, work)
        if not _is_closing(statement.command) and log_search(job, statement.command) is None:
            return None
    return None


def _run_before(job: Job, body: tuple[Statement, ...], place: int, work: Span) -> tuple[int, Span] | None:
    """The run that *work*, the last piece of work, follows as a helper; *work* itself where it is no helper.

    Behind steps and MPI programs, scripts of one's own only sort results: the run's end is what counts.
    """
    runs = [step.span for step in job.plan.steps if not step.nested and does_work(step)]
    for program in job.plan.host_programs:
        run = program.launchers[0].span if program.launchers else None
        if run is not None:
            runs.append(run)
            work = run if program.span == work else work
    if work in runs:
        return place, work
    for earlier in range(place, -1, -1):
        inside = [run for run in runs if run in body[earlier].span]
        if inside:
            between = job.source.text[body[earlier].span.start : body[place].span.start]
            return None if body[earlier].background or _LOOKS.search(between) else (earlier, max(inside))
    return place, work


def _is_aside(job: Job, command: Command, work: Span) -> bool:
    """Tell whether *work* is what an ``if`` without ``else`` may do beside the work: a program on the host.

    Such are notes to a database that a run has failed; a step of the job is work wherever it stands.
    """
    if not isinstance(command, If) or command.otherwise:
        return False
    return all(step.span != work for step in job.plan.steps)


def _is_closing(command: Command) -> bool:
    if not isinstance(command, Simple):
        return False
    return not command.words or command.name in _CLOSING


def _has_document(command: Simple | Pipeline) -> bool:
    parts = command.commands if isinstance(command, Pipeline) else (command,)
    return any(redirect.document for part in parts for redirect in getattr(part, "redirects", ()))


def _ends_its_line(job: Job, body: tuple[Statement, ...], place: int) -> bool:
    """Tell whether nothing but a comment follows the statement on its line."""
    end = line_end(job, body[place].span).start
    return body[place + 1].span.start > end


__all__ = ["Ending", "EndingKind", "hiding_end"]
