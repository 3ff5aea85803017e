"""Writing a report to a file so that nobody ever reads half of it."""

from __future__ import annotations

import contextlib
import os
import stat

from sbatchlint.fix.write import write_atomically


def save(path: str, data: bytes) -> None:
    """Write *data* to the file at *path* in one step, in the place of what it holds.

    A new file gets the mode that the user's mask allows; an old one keeps its own.  What is no regular
    file, such as a pipe or ``/dev/stdout``, is written to as it is.  Raises :class:`OSError` if that cannot
    be done; an old file is as it was then.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        _make(os.path.realpath(path), data)
        return
    if stat.S_ISREG(status.st_mode):
        with open(path, "rb") as file:
            old = file.read()
        write_atomically(path, data, expected=old)
    else:
        with open(path, "wb") as file:
            file.write(data)


def _make(path: str, data: bytes) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
