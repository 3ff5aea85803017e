"""How far a run has come: a line on a terminal, for runs that take long enough to wonder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TextIO

_WAIT = 1.0
"""Seconds before anything is shown."""
_EVERY = 0.1
_WIDTH = 24
"""Columns of the bar itself."""


class Progress:
    """A bar that is written over as files are done, and wiped at the end."""

    def __init__(
        self, stream: TextIO | None, total: int, *, wanted: bool, now: Callable[[], float] = time.monotonic
    ) -> None:
        """*stream* is where to show it, if that is a terminal; *now* tells the time in seconds."""
        dumb = os.environ.get("TERM") == "dumb" or bool(os.environ.get("CI"))
        self._stream = stream if wanted and not dumb and stream is not None and stream.isatty() else None
        self._total = total
        self._now = now
        self._next = now() + _WAIT
        self._done = 0
        self.shown = False
        """Whether it stands on the terminal at the moment."""

    def advance(self) -> None:
        """Take note of one more file."""
        self._done += 1
        if self._stream is None or self._now() < self._next:
            return
        self._next = self._now() + _EVERY
        self.shown = True
        self._stream.write(f"\r{progress_line(self._done, self._total)}\x1b[K")
        self._stream.flush()

    def wipe(self) -> None:
        """Take it off the terminal, for something else to be written there."""
        if self.shown and self._stream is not None:
            self.shown = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def progress_line(done: int, total: int) -> str:
    """Return what is shown after *done* of *total* files."""
    bar = "#" * (done * _WIDTH // max(total, 1))
    return f"[{bar:<{_WIDTH}}] {done} of {total} files"
