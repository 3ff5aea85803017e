"""Writing a file anew in one step, if it still is the file that was read."""

from __future__ import annotations

import errno
import os
import stat

from sbatchlint.writing.half import put
from sbatchlint.writing.likeness import take_over
from sbatchlint.writing.trouble import FileChanged, NotWritten, known, told

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_LARGE = 1 << 20


def make_file(path: str, data: bytes) -> None:
    """Write *data* to a file at *path* that was not there, with the mode that the user's mask allows.

    Where *path* is a link that leads nowhere, the file is made where it leads.  Raises :class:`NotWritten`.
    """
    target = os.path.realpath(path)
    try:
        put(target, data, 0o666)
    except FileNotFoundError as error:
        reason = "its folder is not there"
        raise NotWritten(errno.ENOENT, path, reason, "make it, and run it again") from error
    except OSError as error:
        raise _in_words(error, target, path) from error


def overwrite_file(path: str, data: bytes) -> None:
    """Replace the file at *path* by *data*, whatever it holds; all else stays, but for its other names.

    Raises :class:`NotWritten`.
    """
    _replace(path, os.path.realpath(path), data, None)


def replace_file(path: str, data: bytes, *, expected: bytes, target: str | None = None) -> None:
    """Replace the file at *path* by *data*, if it still holds *expected*.

    Mode, owner, access list and extended attributes are kept; a symbolic link stays one and the file that it
    leads to is replaced.  *target* is that file's own path as it was found when the file was read.  A file
    that holds *data* already is left alone.  At every moment the file is either whole and old or whole
    and new.

    Raises :class:`FileChanged` if somebody else wrote to it or put something else in its place, and
    :class:`NotWritten` if it cannot be replaced, can't be kept as it is apart from its content, or has other
    names (hard links), which would go on to hold the old content; then the file is as it was.
    """
    now = os.path.realpath(path)
    if target is not None and now != target:
        raise FileChanged(path)
    try:
        _replace(path, now, data, expected)
    except FileChanged:
        if not _holds(path, now, data):  # another run that makes the same of it may have been first
            raise


def _replace(path: str, target: str, data: bytes, expected: bytes | None) -> None:
    try:
        old = _status(path, target)
        _check_kind(old, path)
        if expected is not None:
            if _content(target) != expected:
                raise FileChanged(path)
            _check_names(old, path)
        _check_leave(target, path)

        def check() -> None:
            if expected is not None:
                _check_same(path, target, old, expected)

        put(
            target,
            data,
            0o600,
            dress=lambda descriptor: take_over(descriptor, target, old, path),
            check=check,
        )
    except NotWritten:
        raise
    except OSError as error:
        raise _in_words(error, target, path) from error


def _status(path: str, target: str) -> os.stat_result:
    """Return what is at *target*, where *path* leads; a pipe such as ``/dev/fd/63`` leads nowhere."""
    try:
        return os.lstat(target)
    except FileNotFoundError:
        return os.stat(path)


def _check_kind(status: os.stat_result, path: str) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise known(errno.ELOOP, path)
    if not stat.S_ISREG(status.st_mode):
        raise NotWritten(errno.EINVAL, path, "it is not a regular file", "name a file")


def _check_names(status: os.stat_result, path: str) -> None:
    if status.st_nlink > 1:
        raise NotWritten(
            errno.EMLINK,
            path,
            f"it has {status.st_nlink} names (hard links), and the others would keep the old content",
            "make it a file of its own (cp -p it, mv the copy over it) and run it again",
        )


def _check_leave(target: str, path: str) -> None:
    if not _may(target, os.W_OK):
        if os.statvfs(target).f_flag & os.ST_RDONLY:
            raise known(errno.EROFS, path)
        raise NotWritten(errno.EACCES, path, "you may not write to it", "chmod u+w it, or fix a copy")


def _check_same(path: str, target: str, old: os.stat_result, expected: bytes) -> None:
    """Raise :class:`FileChanged` unless *path* still leads to the very file that was there, as it was."""
    try:
        new = os.lstat(target)
        same = os.path.samestat(old, new) and new.st_nlink == old.st_nlink
        if same and os.path.realpath(path) == target and _content(target) == expected:
            return
    except FileNotFoundError:
        pass
    raise FileChanged(path)


def _holds(path: str, target: str, data: bytes) -> bool:
    """Tell whether *path* leads to *target* and there is a file that holds *data*."""
    try:
        is_file = stat.S_ISREG(os.lstat(target).st_mode)
        return is_file and os.path.realpath(path) == target and _content(target) == data
    except OSError:
        return False


def _content(target: str) -> bytes:
    descriptor = os.open(target, _READ)
    try:
        pieces = []
        while piece := os.read(descriptor, _LARGE):
            pieces.append(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def _in_words(error: OSError, target: str, path: str) -> NotWritten:
    """Return *error* as one that also tells of the folder, if that is what may not be written to."""
    denied = error.errno in (errno.EACCES, errno.EPERM)
    if not denied or _may(os.path.dirname(target), os.W_OK | os.X_OK):
        return told(error, path)
    return NotWritten(
        errno.EACCES,
        path,
        "its folder may not be written to, where the new file is made",
        "get leave to write there, or fix a copy",
    )


def _may(path: str, rights: int) -> bool:
    """Tell whether this process has *rights*: as the user that it acts as, who need not have started it."""
    return os.access(path, rights, effective_ids=os.access in os.supports_effective_ids)
