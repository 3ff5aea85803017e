"""Reading what stands at a path that anybody may have put there, without waiting or filling up for ever.

A pipe into which nobody writes, a device that never ends and a file of a terabyte are all told as errors,
with the reason in the words of a person.
"""

from __future__ import annotations

import errno
import os
import select
import stat
from typing import BinaryIO

PATIENCE = 5.0
"""Seconds in which something has to come through a named pipe.  What ``<(...)`` makes is waited for."""
_OPEN_ALREADY = ("/proc/", "/dev/fd/")
"""Where the pipes are that this process was given open, so that their writers are there or gone."""
_ENDLESS = "a device, and no file"


def open_bytes(path: str, buffering: int = -1) -> BinaryIO:
    """Open the file, pipe or terminal at *path* to be read.  Raises OSError for all else."""
    mode = os.stat(path).st_mode
    if stat.S_ISFIFO(mode) and not os.path.realpath(path).startswith(_OPEN_ALREADY):
        return open(_pipe(path), "rb", buffering)
    if stat.S_ISSOCK(mode):
        raise OSError(errno.ENXIO, "a socket, and no file", path)
    if stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, _ENDLESS, path)
    file: BinaryIO = open(path, "rb", buffering)  # noqa: SIM115 - whoever asks closes it
    if stat.S_ISCHR(mode) and not _ends(file):
        file.close()
        raise OSError(errno.EINVAL, _ENDLESS, path)
    return file


def read_bytes(path: str, most: int) -> bytes:
    """Return what *path* holds.  Raises OSError, also where that is more than *most* bytes."""
    with open_bytes(path) as file:
        return read_all(file, most, path)


def read_all(file: BinaryIO, most: int, path: str) -> bytes:
    """Return the rest of *file*, which is called *path*.  Raises OSError for more than *most* bytes."""
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"more than {most // 1_000_000} million bytes", path)
    return data


def _ends(device: BinaryIO) -> bool:
    """Tell whether a character device has an end: a terminal has, and ``/dev/null``."""
    return device.isatty() or os.path.samestat(os.fstat(device.fileno()), os.stat(os.devnull))


def _pipe(path: str) -> int:
    """Open a named pipe once somebody writes into it, or has written."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        ready = select.poll()
        ready.register(descriptor, select.POLLIN)
        if not ready.poll(PATIENCE * 1000):
            raise OSError(errno.ETIMEDOUT, f"a pipe that nobody writes into ({PATIENCE:.0f} s waited)", path)
        os.set_blocking(descriptor, True)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def find_program(name: str) -> str | None:
    """Return the program *name* of the folders of PATH; None where there is none.

    Folders that count from the present one are passed over: a program of that name in a folder that is
    checked is not the user's.
    """
    import shutil  # which takes longer to load than all else here

    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders)) or os.devnull)
