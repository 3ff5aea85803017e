"""Which options of the shell a script may have switched on."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.launch.modes import MODES, first_line_modes, modes
from sbatchlint.launch.plan import FileUse, FileUseKind
from sbatchlint.lint.ask.commands import Written, written_commands
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.once import asked_once, kept
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Simple
from sbatchlint.source import Span

_BUNDLE = regex(r"[-+][a-zA-Z]+")
_BASH = regex(r"#!\s*\S*(?:/|\benv\s+(?:-S\s*)?)bash\b")
_LEAVES_MODES = regex(
    r"^/(?:etc|usr|opt|dev|cvmfs)/|(?:^|[/\W])(?:de)?activate(?:\.\w+)?$|(?:^|/)(?:micro)?(?:conda|mamba)(?:\.sh)?$"
    r"|(?:^|[/.])(?:bash|zsh|ksh|sh)rc$|(?:^|[/.])(?:bash_|z)?(?:profile|login|aliases)$|/profile\.d/"
    r"|/init/(?:bash|sh|profile)$|(?:^|/)(?:lmod|modules?)(?:\.sh)?$|(?:^|/)setup-env\.sh$|(?:^|/)\w*vars\.sh$"
    r"|(?:^|/)\.env$|(?:^|/)\.cargo/env$"
)
"""Files that leave the options of the shell as they are: of environments, logins, modules, compilers."""


@kept
def may_switch_on(job: Job, mode: str) -> bool:
    """Tell whether the script switches the shell's *mode* (``errexit``, ``pipefail``) on anywhere.

    Where and under which condition is not asked: a rule that needs the mode to be off is silent then.
    A file that it sources counts where the plan follows it.
    """
    if starts_with(job, mode) or any(mode in found for found in _set(job)):
        return True
    return any(mode in (use.modes or ()) for use in _sourced(job))


def files_may_switch_on(job: Job, mode: str, before: Span) -> bool:
    """Tell whether a file that the script sources ahead of *before* may switch the shell's *mode* on.

    What environments, logins and modules bring along leaves it alone, and so does a file that the plan
    follows without finding it; and where the script itself switches the mode off behind the file, it is off.
    """
    uses = list(_sourced(job))
    for simple, place in nodes_of(job, Simple):
        if simple.name not in ("source", ".") or len(simple.words) < 2 or place.in_own_shell:
            continue
        found = [use for use in uses if use.command == simple.span]
        if simple.span.start < before.start and not _leaves_modes(job, simple, found):
            return not is_switched_off_at(job, mode, before, behind=simple.span)
    return False


def _leaves_modes(job: Job, simple: Simple, uses: list[FileUse]) -> bool:
    """Tell whether the file that *simple* sources is followed, or is of a kind that sets no modes."""
    written = job.source.slice(simple.words[1].span).strip("\"'")
    if uses:
        return all(use.modes is not None or _LEAVES_MODES.search(use.path.show()) for use in uses)
    return _LEAVES_MODES.search(written) is not None


def _sourced(job: Job) -> Iterator[FileUse]:
    """The files that the batch shell itself reads as code, as the plan says."""
    for use in job.plan.file_uses:
        if use.kind is FileUseKind.SOURCED and not use.layers:
            yield use


@asked_once
def _set(job: Job) -> Iterator[frozenset[str]]:
    for simple, _ in nodes_of(job, Simple):
        if simple.name not in ("set", "shopt"):
            continue
        words = [word.literal or "" for word in simple.words]
        if words[:1] == ["set"]:
            yield modes(words[1:])
        elif words[:2] == ["shopt", "-so"] or words[:3] == ["shopt", "-s", "-o"]:
            yield frozenset(words[2:])


def starts_with(job: Job, mode: str) -> bool:
    """Tell whether the first line of the script switches the shell's *mode* on (``#!/bin/bash -e``)."""
    return mode in first_line_modes(job.source.text)


def is_switched_off_at(job: Job, mode: str, place: Span, behind: Span | None = None) -> bool:
    """Tell whether the last command before *place* that speaks of *mode* switches it off (``set +e``).

    Only those behind *behind* are asked, where that is told.
    """
    off = False
    for command in written_commands(job):
        if command.span.start >= place.start:
            break
        if behind is not None and command.span.start <= behind.start:
            continue
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
