"""Where a script's variables may come from besides its own assignments, and who fills a folder."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from sbatchlint.launch.plan import Program, Step
from sbatchlint.launch.values import Value
from sbatchlint.lint.ask.code_text import without_comments, words_in_code
from sbatchlint.lint.ask.once import asked_once
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex

_WORD = regex(r"\w+")
_SOURCE = regex(r"^[ \t]*(?:source|\.)[ \t]+(\S+)", re.MULTILINE)
_NO_SETTINGS = regex(r"activate|conda|mamba|bashrc|profile|module|lmod", re.IGNORECASE)
_COPIES = frozenset("cp rsync tar unzip dcp sbcast s5cmd aws".split())


def mentions(job: Job, *names: str) -> bool:
    """Whether the script or a directive names one of *names* outside comments.

    A name that is used but not set is expected from outside.
    """
    words, values = _words_and_values(job)
    if any(name in words or name in values for name in names):
        return True
    odd = [name for name in names if not _WORD.fullmatch(name)]  # ``nvidia-cuda-mps-control``
    return bool(odd) and bool(words_in_code(job, *odd))


@asked_once
def _words_and_values(job: Job) -> Iterator[Container[str]]:
    yield frozenset(_WORD.findall(without_comments(job)))
    yield "\n".join(use.value or "" for use in job.request.uses)


def reads_settings(job: Job) -> bool:
    """Whether the script sources a file that may set anything."""
    return _sources_settings(job)[0]


@asked_once
def _sources_settings(job: Job) -> Iterator[bool]:
    yield any(not _NO_SETTINGS.search(match[1]) for match in _SOURCE.finditer(job.source.text))


def fills(job: Job, folder: Value) -> bool:
    """Whether a command of the script copies into *folder*: its owner knows that it is not shared."""
    place = folder.show()
    return any(_copies_into(program, place) for _, program in job.plan.programs())


def _copies_into(program: Program, place: str) -> bool:
    if program.name not in _COPIES:
        return False
    words = [argument.value.show().rstrip("/") for argument in program.arguments]
    return any(word.startswith(place) or place.startswith(word + "/") for word in words if word)


def uv_installs(program: Program) -> bool:
    """Whether uv may install something before or instead of running a program."""
    if program.environment.get("UV_NO_SYNC"):
        return False
    if program.name == "uv":
        first = program.arguments[0].value.text if program.arguments else None
        return first in ("sync", "pip", "add", "venv", "tool")
    return any(layer.name == "uv" and layer.get("no-sync", "offline") is None for layer in program.layers)


def step_that_warms_uv(job: Job, before: Step) -> Step | None:
    """A step on one node ahead of *before* in which uv installs something."""
    for step in job.plan.steps:
        if step is before:
            return None
        nodes = step.geometry.nodes
        if nodes is not None and nodes.value == 1 and any(uv_installs(program) for program in step.programs):
            return step
    return None
