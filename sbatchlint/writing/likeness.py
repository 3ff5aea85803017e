"""Giving a new file all that an old one had but its content: owner, attributes, access list and mode."""

from __future__ import annotations

import contextlib
import errno
import os
import stat

from sbatchlint.writing.trouble import NotWritten

_KEPT = ("user.", "system.posix_acl_access", "system.nfs4_acl")
"""Attributes that people set, access lists among them.  Without one of these nothing is written."""
_TRIED = ("security.selinux", "security.SMACK64")
"""Labels, which the system gives a new file by itself.  All others are about the content or its place."""
_LEFT = "let its owner do it, or fix a copy"


def take_over(descriptor: int, target: str, old: os.stat_result, path: str) -> None:
    """Make the new file at *descriptor* like the one at *target*, whose status is *old*.

    Only what differs is set, since some file systems refuse to set anything.  *path* is what the user calls
    the file.  Raises :class:`NotWritten` for what cannot be kept.
    """
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except OSError as error:
            number = error.errno or errno.EPERM
            raise NotWritten(number, path, "its owner or group could not be kept", _LEFT) from error
    if hasattr(os, "listxattr"):
        _take_over_attributes(descriptor, target, path)
    # Last: changing the owner takes the set-user-ID bit off, an access list changes the group's rights.
    mode = stat.S_IMODE(old.st_mode)
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
        os.fchmod(descriptor, mode)
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
            raise NotWritten(errno.EPERM, path, "its mode could not be kept", _LEFT)


def _take_over_attributes(descriptor: int, target: str, path: str) -> None:
    old, new = _attributes(target), _attributes(descriptor)
    for name in sorted({*old, *new}):
        if old.get(name) == new.get(name) or not name.startswith((*_KEPT, *_TRIED)):
            continue
        try:
            if name in old:
                os.setxattr(descriptor, name, old[name])
            else:
                os.removexattr(descriptor, name)  # as an access list that the folder gives to all new files
        except OSError as error:
            if name.startswith(_KEPT):
                reason = f"its attribute {name} could not be kept"
                raise NotWritten(error.errno or errno.EPERM, path, reason, _LEFT) from error


def _attributes(file: int | str) -> dict[str, bytes]:
    """Return the extended attributes of *file* that this user may read; not every file system has any."""
    found = {}
    with contextlib.suppress(OSError):
        for name in os.listxattr(file):
            with contextlib.suppress(OSError):
                found[name] = os.getxattr(file, name)
    return found
