"""Programs called sbatch that call ``sbatchlint submit``: to become one of them would never end."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

_HEAD = 8192
_SCRIPT = b"#!"
_MARK = "sbatchlint-submit"
_WORDS = 4
"""Among so many words of a command line stands the script that an interpreter runs."""


class Wrappers:
    """The scripts that are known, or have to be taken, to call us."""

    def __init__(self) -> None:
        self._called = any(_MARK in target for target in _open_files())
        """Whether a script that we have started calls us: it may do so whichever script we start next."""
        self._running = set(_running_scripts())

    def __contains__(self, path: str) -> bool:
        """Tell whether the program at *path* is a script that speaks of sbatchlint or has called us."""
        head = _head(path)
        if not head.startswith(_SCRIPT):
            return False
        return self._called or b"sbatchlint" in head or os.path.realpath(path) in self._running


def marks_for(sbatch: str) -> tuple[int, ...]:
    """Open a file by which we know, should the script *sbatch* call us, that we have started it.

    A variable would reach the job; this does not.  Nothing is opened where *sbatch* is no script.
    """
    if not _head(sbatch).startswith(_SCRIPT):
        return ()
    try:
        made = os.memfd_create(_MARK)
        mark = fcntl.fcntl(made, fcntl.F_DUPFD, 3)  # never in the place of a standard stream that is closed
        os.close(made)
    except (AttributeError, OSError):  # not on Linux
        return ()
    return (mark,)


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def _open_files() -> Iterator[str]:
    """Yield what the open files of this process are."""
    try:
        numbers = os.listdir("/proc/self/fd")
    except OSError:
        return
    for number in numbers:
        try:
            yield os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue


def _running_scripts() -> Iterator[str]:
    """Yield the paths, without links, of what the ancestors of this process run."""
    process = os.getppid()
    while process > 1:
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            status = Path(f"/proc/{process}/stat").read_bytes()
        except OSError:
            return
        yield from (os.path.realpath(os.fsdecode(word)) for word in words[:_WORDS] if word.startswith(b"/"))
        process = int(status.rpartition(b")")[2].split()[1])
