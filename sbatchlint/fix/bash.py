"""Asking bash whether it can read a script.  Bash never executes any of it."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property

from sbatchlint.cache.digest import digest
from sbatchlint.cache.witness import spoil
from sbatchlint.files import find_program
from sbatchlint.shell.shebang import interpreter_of
from sbatchlint.source import Source


class Reading(IntEnum):
    """What ``bash -n`` says of a text; more is better."""

    REJECTED = 0
    DOUBTED = 1
    """Accepted with a warning, such as a here-document that ends with the file."""
    ACCEPTED = 2


class BashCheck:
    """``bash -n``: reads a script's commands and executes none.  Its verdicts are remembered."""

    def __init__(self, timeout: float = 5.0) -> None:
        """Allow bash *timeout* seconds for each text."""
        self._timeout = timeout
        self._verdicts: dict[str, Reading | None] = {}

    def reading(self, source: Source) -> Reading | None:
        """Return bash's verdict, or None where there is none: not a bash or sh script, no bash, too slow."""
        if not is_for_bash(source):
            return None
        text = source.text.encode("utf-8", "surrogateescape")
        name = digest(text)
        if name not in self._verdicts:
            self._verdicts[name] = self._ask(text)
        return self._verdicts[name]

    @cached_property
    def _bash(self) -> str | None:
        return find_program("bash")

    def _ask(self, text: bytes) -> Reading | None:
        import subprocess  # which takes as long to load as a short script takes to be checked

        if self._bash is None:
            return None
        try:
            done = subprocess.run(
                [self._bash, "--noprofile", "--norc", "-n"],
                input=text,
                capture_output=True,
                env={},
                timeout=self._timeout,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            spoil()  # another time it may answer
            return None
        if done.returncode:
            return Reading.REJECTED
        return Reading.DOUBTED if done.stderr.strip() else Reading.ACCEPTED


def is_for_bash(source: Source) -> bool:
    """Tell whether the first line hands the script to bash or sh; a script without such a line counts too."""
    return interpreter_of(source) in ("", "bash", "sh")
