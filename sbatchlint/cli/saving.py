"""Writing reports and scripts to files so that nobody ever reads half of one."""

from __future__ import annotations

import errno
import os
import stat

from sbatchlint.cli.inputs import Input
from sbatchlint.fix.write import write_source
from sbatchlint.source import Source
from sbatchlint.writing.replace import make_file, overwrite_file
from sbatchlint.writing.trouble import NotWritten


def save(path: str, data: bytes) -> None:
    """Write *data* to the file at *path* in one step, in the place of what it holds.

    A new file gets the mode that the user's mask allows; an old one keeps its own.  What is no regular
    file, such as a pipe or ``/dev/stdout``, is written to as it is.  Raises :class:`OSError` if that cannot
    be done; an old file is as it was then.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        make_file(path, data)
        return
    if stat.S_ISREG(status.st_mode):
        overwrite_file(path, data)
    else:
        with os.fdopen(_open_to_write(path, status.st_mode), "wb") as file:
            file.write(data)


def save_source(given: Input, before: Source, after: Source) -> None:
    """Write *after* to the file *given*, which held *before* when read.  Raises :class:`NotWritten`."""
    if given.is_link:
        reason = f"it is a symbolic link, to {given.target}"
        raise NotWritten(errno.EXDEV, given.path, reason, "name that file if it is to be changed")
    write_source(before, after, given.path, given.target or None)


def _open_to_write(path: str, mode: int) -> int:
    """Open what is no regular file; a pipe that nobody reads would be waited for without end."""
    wait = os.O_NONBLOCK if stat.S_ISFIFO(mode) else 0
    try:
        descriptor = os.open(path, os.O_WRONLY | wait)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(error.errno, "nobody reads from it", path) from None
        raise
    os.set_blocking(descriptor, True)
    return descriptor
