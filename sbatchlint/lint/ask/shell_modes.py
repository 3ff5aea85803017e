"""Which options of the shell a script may have switched on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.launch.modes import MODES, first_line_modes, modes
from sbatchlint.lint.ask.commands import Written, written_commands
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import Simple
from sbatchlint.source import Span

_BUNDLE = re.compile(r"[-+][a-zA-Z]+")
_BASH = re.compile(r"#!\s*\S*(?:/|\benv\s+(?:-S\s*)?)bash\b")


def may_switch_on(job: Job, mode: str) -> bool:
    """Tell whether the script switches the shell's *mode* (``errexit``, ``pipefail``) on anywhere.

    Where and under which condition is not asked: a rule that needs the mode to be off is silent then.
    Files that it sources are not looked at.
    """
    return starts_with(job, mode) or any(mode in found for found in _set(job))


def _set(job: Job) -> Iterator[frozenset[str]]:
    for simple, _ in nodes_of(job, Simple):
        words = [word.literal or "" for word in simple.words]
        if words[:1] == ["set"]:
            yield modes(words[1:])
        elif words[:2] == ["shopt", "-so"] or words[:3] == ["shopt", "-s", "-o"]:
            yield frozenset(words[2:])


def starts_with(job: Job, mode: str) -> bool:
    """Tell whether the first line of the script switches the shell's *mode* on (``#!/bin/bash -e``)."""
    return mode in first_line_modes(job.source.text)


def is_switched_off_at(job: Job, mode: str, place: Span) -> bool:
    """Tell whether the last command before *place* that speaks of *mode* switches it off (``set +e``)."""
    off = False
    for command in written_commands(job):
        if command.span.start >= place.start:
            break
        state = mode_set_by(command, mode)
        off = off if state is None else not state
    return off


def mode_set_by(command: Written, mode: str) -> bool | None:
    """What *command* makes of the shell's *mode* (``nounset``); None where it leaves it alone."""
    if command.name != "set":
        return None
    state: bool | None = None
    words = command.words
    for index, word in enumerate(words):
        if word is None or word in ("--", "-"):
            break
        before = words[index - 1] if index else None
        if before is not None and _BUNDLE.fullmatch(before) and before.endswith("o"):
            state = before.startswith("-") if word == mode else state
        elif _BUNDLE.fullmatch(word) and any(MODES.get(letter) == mode for letter in word[1:]):
            state = word.startswith("-")
    return state


def runs_in_bash(job: Job) -> bool:
    """Tell whether the first line names bash: other shells may lack ``pipefail`` and ``PIPESTATUS``."""
    return _BASH.match(job.source.text) is not None
