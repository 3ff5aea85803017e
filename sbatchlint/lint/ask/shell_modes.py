"""Which options of the shell a script may have switched on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.launch.modes import first_line_modes, modes
from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import Simple
from sbatchlint.source import Span

_BASH = re.compile(r"#!\s*\S*(?:/|\benv\s+(?:-S\s*)?)bash\b")


def may_switch_on(job: Job, mode: str) -> bool:
    """Tell whether the script switches the shell's *mode* (``errexit``, ``pipefail``) on anywhere.

    Where and under which condition is not asked: a rule that needs the mode to be off is silent then.
    Files that it sources are not looked at.
    """
    return mode in first_line_modes(job.source.text) or any(mode in found for found in _set(job))


def _set(job: Job) -> Iterator[frozenset[str]]:
    for simple, _ in nodes_of(job, Simple):
        words = [word.literal or "" for word in simple.words]
        if words[:1] == ["set"]:
            yield modes(words[1:])
        elif words[:2] == ["shopt", "-so"] or words[:3] == ["shopt", "-s", "-o"]:
            yield frozenset(words[2:])


def runs_in_bash(job: Job) -> bool:
    """Tell whether the first line names bash: other shells may lack ``pipefail`` and ``PIPESTATUS``."""
    return _BASH.match(job.source.text) is not None


def handles_exit(job: Job) -> bool:
    """Tell whether the script traps its end or its errors (``trap ... EXIT``, ``trap ... ERR``)."""
    return any(
        (word.literal or "").upper() in ("EXIT", "ERR", "0", "SIGEXIT")
        for simple, _ in nodes_of(job, Simple)
        if simple.words and simple.words[0].literal == "trap"
        for word in simple.words[1:]
    )


def line_end(job: Job, span: Span) -> Span:
    """Return the empty span at the end of the line that *span* ends on."""
    end = job.source.text.find("\n", max(span.start, span.end - 1))
    place = len(job.source.text) if end < 0 else end
    return Span(place, place)
