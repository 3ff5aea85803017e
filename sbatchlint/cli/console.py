"""Where things are written: findings to standard output, everything else to standard error."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from sbatchlint.report.cells import shown
from sbatchlint.report.style import Style

COLOUR_CHOICES = ("auto", "always", "never")


class Console:
    """What is said beside the findings, and whether anything went wrong."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        """Whether remarks and notes are left out."""
        self.failed = False
        """Whether something could not be done; the exit status is 2 then."""
        self.troubles: list[tuple[str, str]] = []
        """What could not be done: the subject of each complaint, and what was said of it."""

    def complain(self, subject: str, message: str) -> None:
        """Say in one line that something is wrong with *subject*, and remember it."""
        self.failed = True
        subject, message = _hidden(subject), _hidden(message)
        self.troubles.append((subject, message))
        self._write(f"sbatchlint: {shown(subject)}: {shown(message)}\n")

    def fail(self, text: str, *troubles: tuple[str, str]) -> None:
        """Show *text*, which tells of a failure and brings its line ends, and remember it.

        *troubles* are what it tells: subjects, and what is said of them.
        """
        self.failed = True
        self.troubles += troubles or [("sbatchlint", text.partition("\n")[0])]
        self._write(text)

    def remark(self, subject: str, message: str) -> None:
        """Say something about *subject* that is no failure; ``--quiet`` silences it."""
        self.note(f"sbatchlint: {shown(_hidden(subject))}: {shown(_hidden(message))}\n")

    def trace(self, text: str) -> None:
        """Show the lines of a traceback."""
        self._write("".join(f"{shown(_hidden(line))}\n" for line in text.splitlines()))

    def note(self, text: str) -> None:
        """Say something good to know, which ``--quiet`` silences; *text* brings its line ends."""
        if not self.quiet:
            self._write(text)

    def _write(self, text: str) -> None:
        sys.stdout.flush()
        write(sys.stderr, text)
        sys.stderr.flush()


def _hidden(text: str) -> str:
    """Return *text* without tokens, which nobody may see wherever they come from."""
    from sbatchlint.report.mask import without_tokens

    return without_tokens(text)


def write(stream: TextIO, text: str) -> None:
    """Write *text*; what the stream's encoding lacks becomes an escape instead of an error."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
        stream.reconfigure(errors="backslashreplace")
    stream.write(text)


def write_bytes(stream: TextIO, data: bytes) -> None:
    """Write *data* behind the text written so far, whatever the stream's encoding."""
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()


class Printed(io.TextIOBase):
    """What rules of others print: it goes to standard error, and nothing in it is obeyed by a terminal."""

    def write(self, text: str) -> int:
        """Write *text*."""
        from sbatchlint.report.cells import shown_text

        write(sys.stderr, shown_text(_hidden(text)))
        return len(text)


def style_for(stream: TextIO, colour: str) -> Style:
    """Return what may be sent to *stream*, *colour* being one of :data:`COLOUR_CHOICES`.

    ``NO_COLOR`` and ``FORCE_COLOR`` count only for ``auto``, and only if they are not empty; links are
    never sent to anything but a terminal.
    """
    terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
    if colour == "auto":
        painted = not os.environ.get("NO_COLOR") and (terminal or bool(os.environ.get("FORCE_COLOR")))
    else:
        painted = colour == "always"
    return Style(colour=painted, links=painted and terminal)
