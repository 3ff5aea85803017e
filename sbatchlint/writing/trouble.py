"""Why a file was not written, in words that also tell what to do."""

from __future__ import annotations

import errno
import os


class NotWritten(OSError):
    """A file is as it was.  ``strerror`` has the reason, :attr:`remedy` what its user can do."""

    def __init__(self, number: int, path: str, reason: str, remedy: str) -> None:
        """Take the errno, the path as the user named it, the reason and the remedy."""
        super().__init__(number, reason, path)
        self.remedy = remedy


class FileChanged(NotWritten):
    """The file on disk is no longer the one that was read."""

    def __init__(self, path: str) -> None:
        """Take the path as the user named it."""
        super().__init__(errno.ESTALE, path, "it changed while it was being checked", AGAIN)


AGAIN = "run it again"
_OTHERWISE = "see to its folder and run it again"
_MAKE_ROOM = "make room and run it again"
_TOLD = {
    errno.ENOSPC: ("the disk is full", _MAKE_ROOM),
    errno.EDQUOT: ("the quota is used up", _MAKE_ROOM),
    errno.EFBIG: ("it would be larger than this process may write", "raise the limit (ulimit -f)"),
    errno.EROFS: ("it is on a file system that can only be read", "fix a copy"),
    errno.ENOENT: ("it is no longer there", AGAIN),
    errno.ELOOP: ("its symbolic links lead in a circle", "name the file itself"),
    errno.EBUSY: ("another use of it forbids replacing it, as a mount does", "fix it where it comes from"),
}


def known(number: int, path: str) -> NotWritten:
    """Return the error of the system's that has this *number*, one of those that have words here."""
    return NotWritten(number, path, *_TOLD[number])


def told(error: OSError, path: str) -> NotWritten:
    """Return *error* as one that tells of *path* what kept it from being written, and what to do."""
    if isinstance(error, NotWritten):
        return error
    return NotWritten(error.errno or errno.EIO, path, *_words(error))


def reason_and_remedy(error: OSError) -> str:
    """Return what the user is told of *error*, of this module's kind or any other: ``(reason); remedy``."""
    reason, remedy = (error.strerror, error.remedy) if isinstance(error, NotWritten) else _words(error)
    return f"({reason}); {remedy}"


def _words(error: OSError) -> tuple[str, str]:
    number = error.errno or errno.EIO
    return _TOLD.get(number) or ((error.strerror or os.strerror(number)).lower(), _OTHERWISE)
