"""Keeping a copy of what a run writes to the terminal."""

from __future__ import annotations

import io
import sys
from typing import Any, TextIO, cast

from sbatchlint.cache.folder import LARGEST


class Tee:
    """``with Tee() as tee``: standard output and error go where they always go, and into ``tee.written``.

    After an exception the streams stay as they are, for whoever deals with it.
    """

    def __init__(self) -> None:
        self.written: list[tuple[int, bytes]] = []
        """Piece by piece, each with 1 for standard output and 2 for standard error."""
        self.complete = True
        """False where it was too much to keep."""
        self._size = 0
        self._before = (sys.stdout, sys.stderr)

    def __enter__(self) -> Tee:
        sys.stdout, sys.stderr = self._copied(1, sys.stdout), self._copied(2, sys.stderr)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            sys.stdout.flush()
            sys.stderr.flush()
            sys.stdout, sys.stderr = self._before

    def take(self, stream: int, data: bytes) -> None:
        """Keep *data*, which was written to *stream*."""
        self._size += len(data)
        self.complete = self.complete and self._size <= LARGEST
        if self.complete:
            self.written.append((stream, data))

    def _copied(self, stream: int, real: TextIO) -> TextIO:
        real.flush()
        assert isinstance(real, io.TextIOWrapper)
        raw = _Copied(self, stream, real.fileno())
        unbuffered = isinstance(real.buffer, io.FileIO)
        return io.TextIOWrapper(
            cast("io.BufferedWriter", raw) if unbuffered else io.BufferedWriter(raw),
            encoding=real.encoding,
            errors=real.errors,
            line_buffering=real.line_buffering,
            write_through=unbuffered,
        )


def can_copy() -> bool:
    """Tell whether both streams are the plain ones that Python makes for a process."""
    return all(
        type(stream) is io.TextIOWrapper
        and type(getattr(stream.buffer, "raw", stream.buffer)) is io.FileIO  # -u leaves out what buffers
        for stream in (sys.stdout, sys.stderr)
    )


class _Copied(io.FileIO):
    def __init__(self, tee: Tee, stream: int, descriptor: int) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self._tee = tee
        self._stream = stream

    def write(self, data: Any) -> int:
        count = super().write(data)
        self._tee.take(self._stream, bytes(memoryview(data)[:count]))
        return count
