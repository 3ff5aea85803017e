"""Running the command line in this process, with streams as a shell gives them: bytes, or a terminal."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sbatchlint.cli.main import main


class Done(NamedTuple):
    """What a run did."""

    status: int
    out: bytes
    err: bytes

    @property
    def both(self) -> bytes:
        """All that a terminal would have been sent."""
        return self.out + self.err


class _Stream(io.TextIOWrapper):
    def __init__(self, data: bytes = b"", *, terminal: bool, errors: str = "strict") -> None:
        self.bytes = io.BytesIO(data)
        self._terminal = terminal
        super().__init__(self.bytes, encoding="utf-8", errors=errors, write_through=True)

    def isatty(self) -> bool:
        return self._terminal


def run(folder: Path, *words: str, stdin: bytes = b"", terminal: bool = False) -> Done:
    """Run ``sbatchlint WORDS`` in *folder*."""
    out, err = _Stream(terminal=terminal), _Stream(terminal=terminal, errors="backslashreplace")
    with _inside(folder), _streams(_Stream(stdin, terminal=False), out, err):
        status = main([*words])
        out.flush()
        err.flush()
    return Done(status, out.bytes.getvalue(), err.bytes.getvalue())


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _streams(*streams: io.TextIOWrapper) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
