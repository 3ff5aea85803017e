"""Being the only run of ours that reads a file in order to write it."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator

_PATIENCE = 10.0
"""Seconds; nobody needs the file for more than a few milliseconds."""
_PAUSE = 0.02


@contextlib.contextmanager
def alone(path: str) -> Iterator[None]:
    """Wait until no other run is inside with the file at *path*.

    The lock is on the file's folder, so that it leaves nothing behind, and ends with the process whatever
    happens to it.  Where the system or the file system has no locks nothing is waited for.  Raises
    :class:`OSError` if another run does not let go.
    """
    descriptor = None
    with contextlib.suppress(OSError):
        descriptor = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
    try:
        if descriptor is not None:
            _lock(descriptor)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(descriptor: int) -> None:
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        return
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            flock(descriptor, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise OSError(errno.EBUSY, "another run is writing it") from None
            time.sleep(_PAUSE)
        except OSError:
            return  # a file system without locks
        else:
            return
