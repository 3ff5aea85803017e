"""What a script does anew each time that its job is started again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sbatchlint.launch.plan import Program
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.shell_modes import may_switch_on
from sbatchlint.lint.ask.work import is_small
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import AndOr, Case, For, Function, If, Pipeline, Simple, Subshell, While
from sbatchlint.source import Span

_BRANCHES = (AndOr, Case, For, Function, If, Pipeline, Subshell, While)
_DIFFERS = re.compile(r"RESTART|RANDOM|\bdate\b|mktemp|EPOCH|SECONDS|uuid")
_TAIL = re.compile(r"(?:/+\*?)+$")


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
    """Yield each unconditional ``rm -r`` of a path that is also an argument of the job's work."""
    used: dict[str, Span] = {}
    for _, program in job.plan.programs():
        if not is_small(program) and program.span is not None:
            for path in _paths(program):
                used.setdefault(path, program.span)
    for program in job.plan.host_programs:
        if program.name != "rm" or program.conditional or program.span is None or not _is_recursive(program):
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


def _is_recursive(program: Program) -> bool:
    flags = [text for arg in program.arguments if (text := arg.text) is not None and text.startswith("-")]
    return any(flag == "--recursive" or (flag[1:2] != "-" and "r" in flag.lower()) for flag in flags)


def folders_made_anew(job: Job) -> Iterator[NewFolder]:
    """Yield each plain ``mkdir`` that stops the script the second time, as its folder is there by then."""
    if not may_switch_on(job, "errexit"):
        return
    for simple, place in nodes_of(job, Simple):
        if not simple.words or simple.words[0].literal != "mkdir" or place.inside(*_BRANCHES):
            continue
        flags = [word.literal or "" for word in simple.words[1:]]
        parents = any(flag == "--parents" or (flag[:1] == "-" and "p" in flag) for flag in flags)
        text = job.source.slice(simple.span)
        if not parents and len(simple.words) > 1 and not _DIFFERS.search(text):
            yield NewFolder(simple.span, simple.words[0].span)
