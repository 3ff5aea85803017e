"""Writing a fixed script back so that nothing is lost, whatever happens meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile

from sbatchlint.source import Source


class FileChanged(OSError):
    """The file on disk is no longer the one that was read."""

    def __init__(self, path: str) -> None:
        reason = "the file changed while it was being checked; nothing was written"
        super().__init__(errno.ESTALE, reason, path)


def write_source(before: Source, after: Source, path: str | os.PathLike[str]) -> None:
    """Replace the file at *path*, whose contents were *before*, by *after*.

    See :func:`write_atomically`.
    """
    write_atomically(path, after.to_bytes(), expected=before.to_bytes())


def write_atomically(path: str | os.PathLike[str], data: bytes, *, expected: bytes) -> None:
    """Replace the file at *path* by *data* in one step, if it still holds *expected*.

    Mode, owner and extended attributes are kept; a symbolic link stays one and its target is replaced.
    At every moment the file is either whole and old or whole and new.  Raises :class:`FileChanged` if
    somebody else wrote to it, and any other :class:`OSError` (with the path in it) if it cannot be
    replaced or its owner cannot be kept; then the file is as it was.
    """
    target = os.path.realpath(path)
    try:
        status = os.stat(target)
        _check_writable(target, status)
        _check_unchanged(target, os.fspath(path), expected)
        _replace(target, os.fspath(path), data, expected, status)
    except OSError as error:
        if error.filename != os.fspath(path):
            error.filename, error.filename2 = os.fspath(path), None
        raise


def _check_writable(target: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", target)
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)


def _check_unchanged(target: str, path: str, expected: bytes) -> None:
    with open(target, "rb") as file:
        if file.read() != expected:
            raise FileChanged(path)


def _replace(target: str, path: str, data: bytes, expected: bytes, status: os.stat_result) -> None:
    folder, name = os.path.split(target)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            _take_over(file.fileno(), target, status)
            os.fsync(file.fileno())
        _check_unchanged(target, path, expected)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _take_over(descriptor: int, target: str, status: os.stat_result) -> None:
    """Give the new file the owner, the extended attributes and, last, the mode of the old one."""
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.fchown(descriptor, status.st_uid, status.st_gid)
        except OSError as error:
            reason = "its owner or group could not be kept; nothing was written"
            raise PermissionError(error.errno, reason, target) from error
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):  # not every file system has them
            for attribute in os.listxattr(target):
                os.setxattr(descriptor, attribute, os.getxattr(target, attribute))
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _sync_folder(folder: str) -> None:
    """Make the new name last through a power cut, where the system allows it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
