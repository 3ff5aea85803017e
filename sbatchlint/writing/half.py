"""A file that is made beside the one whose name it will take, so that at each moment there is a whole one.

What a killed process leaves behind is a hidden file that is named ``.sbatchlint-`` with sixteen digits
and ``.tmp``.  Nothing reads such a file, and a later run that writes into the same folder deletes it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable

ABANDONED = 3600
"""Seconds after which an unfinished file is taken to be nobody's."""
_HEAD, _TAIL = ".sbatchlint-", ".tmp"
_BYTES = 8
"""Random bytes in a name.  The name is short, so that files of the longest names can be written too."""
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_cleaned: set[str] = set()


def put(
    target: str,
    data: bytes,
    mode: int,
    *,
    dress: Callable[[int], None] = lambda descriptor: None,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Give the name *target* to a new file that holds *data*; a power cut leaves the old one or the new.

    The new file is made with *mode*, less what the user's mask forbids.  *dress* is given its descriptor once
    it is written; *check* is called right before the name is taken.  If either raises, or the system does,
    nothing has changed.
    """
    folder = os.path.dirname(target) or os.curdir
    clean(folder)
    half = os.path.join(folder, f"{_HEAD}{os.urandom(_BYTES).hex()}{_TAIL}")
    descriptor = os.open(half, _FLAGS, mode)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            dress(descriptor)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        check()
        os.replace(half, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(half)
        raise
    _sync(folder)


def clean(folder: str) -> None:
    """Delete what this user's killed processes have left in *folder* long ago; each process looks once."""
    if folder in _cleaned:
        return
    _cleaned.add(folder)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_half(entry.name):
                with contextlib.suppress(OSError):
                    _clean(entry)


def _clean(entry: os.DirEntry[str]) -> None:
    status = entry.stat(follow_symlinks=False)
    mine = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
    if mine and time.time() - status.st_mtime > ABANDONED:
        os.unlink(entry.path)


def is_half(name: str) -> bool:
    """Tell whether a file of this *name* is one of ours that was not finished."""
    digits = name.removeprefix(_HEAD).removesuffix(_TAIL)
    whole = f"{_HEAD}{digits}{_TAIL}" == name
    return whole and len(digits) == 2 * _BYTES and all(digit in "0123456789abcdef" for digit in digits)


def _sync(folder: str) -> None:
    """Make the new name last through a power cut, where the system allows it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
