"""How far the reading of big logs has come, on a terminal alone."""

from __future__ import annotations

import time
from typing import TextIO

_WAIT = 1.0
"""Seconds before anything is shown: short runs stay quiet."""
_EVERY = 0.2
_BAR = 24


class Progress:
    """A line on a terminal that is written over as the reading goes on, and wiped at the end."""

    def __init__(self, stream: TextIO, total: int | None) -> None:
        """*total* is how many bytes there are; None where nobody knows."""
        self._stream = stream
        self._shown = stream.isatty()
        self._total = total
        self._done = 0
        self._start = time.monotonic()
        self._next = self._start + _WAIT
        self._dirty = False

    def read(self, count: int) -> None:
        """Take note of *count* more bytes."""
        self._done += count
        if not self._shown:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _EVERY
        self._dirty = True
        self._stream.write(f"\r{progress_line(self._done, self._total, now - self._start)}\x1b[K")
        self._stream.flush()

    def close(self) -> None:
        """Wipe the line."""
        if self._dirty:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def progress_line(done: int, total: int | None, seconds: float) -> str:
    """Return what is shown after *done* bytes of *total* and so many *seconds*."""
    speed = f"{done / 1e6 / seconds:.0f} MB/s" if seconds > 0 else ""
    if not total:
        return f"read {done / 1e6:.0f} MB, {speed}"
    part = min(done / total, 1.0)
    bar = "#" * round(part * _BAR)
    return f"[{bar:<{_BAR}}] {part * 100:3.0f}% of {total / 1e6:.0f} MB, {speed}"
