"""What a script does anew each time that its job is started again."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.plan import Program
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.removals import is_recursive
from sbatchlint.lint.ask.saved_runs import DEFAULT_FOLDER, removed_runs
from sbatchlint.lint.ask.shell_modes import may_switch_on
from sbatchlint.lint.ask.work import is_small
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple
from sbatchlint.source import Span

_DIFFERS = regex(r"RESTART|RANDOM|\bdate\b|mktemp|EPOCH|SECONDS|uuid")
_TAIL = regex(r"(?:/\*?){1,99}$")


@dataclass(frozen=True, slots=True)
class Deletion:
    """``rm -r`` of a folder that the program is told of."""

    span: Span
    path: str
    program: Span


@dataclass(frozen=True, slots=True)
class NewFolder:
    """``mkdir`` without ``-p`` under ``set -e``."""

    span: Span
    command: Span
    """The word ``mkdir``."""


def knows_of_restarts(job: Job) -> bool:
    """Tell whether the script asks how often it has been started."""
    return "SLURM_RESTART_COUNT" in job.source.text


def repeated_deletions(job: Job) -> Iterator[Deletion]:
    """Yield each unconditional ``rm -r`` of a path that the job's work is told of, or saves in by default."""
    used: dict[str, Span] = {}
    for _, program in job.plan.programs():
        if not is_small(program) and program.span is not None:
            for path in _paths(program):
                used.setdefault(path, program.span)
    yield from (Deletion(one.span, DEFAULT_FOLDER, one.run) for one in removed_runs(job) if not one.behind)
    for program in job.plan.host_programs:
        if program.conditional or program.span is None or not _removes_folders(program):
            continue
        for path in _paths(program):
            if path in used and used[path].start > program.span.start:
                yield Deletion(program.span, path, used[path])
                break


def _paths(program: Program) -> Iterator[str]:
    """The arguments that look like paths, as far as they are shown; also those behind ``=``."""
    for arg in program.arguments:
        text = arg.value.show().rpartition("=")[2]
        if "/" in text or text.startswith("$"):
            path = _TAIL.sub("", text)
            if path:
                yield path


def _removes_folders(program: Program) -> bool:
    return program.name == "rm" and is_recursive(arg.text or "" for arg in program.arguments)


def folders_made_anew(job: Job) -> Iterator[NewFolder]:
    """Yield each plain ``mkdir`` that stops the script the second time, as its folder is there by then."""
    if not may_switch_on(job, "errexit"):
        return
    for simple, place in nodes_of(job, Simple):
        if simple.name != "mkdir" or place.conditional:
            continue
        flags = [word.literal or "" for word in simple.words[1:]]
        parents = any(flag == "--parents" or (flag[:1] == "-" and "p" in flag) for flag in flags)
        text = job.source.slice(simple.span)
        if not parents and len(simple.words) > 1 and not _DIFFERS.search(text):
            yield NewFolder(simple.span, simple.words[0].span)
