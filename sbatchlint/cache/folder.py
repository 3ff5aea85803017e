"""The folder in which answers are kept: private, bounded, and never a reason to fail.

Every function here does nothing, or gives nothing, where the folder can't be used: a full disk, another owner
or a damaged file are as if nothing had been kept.
"""

from __future__ import annotations

import os
from os import O_CLOEXEC, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY
from stat import S_ISDIR, S_ISREG
from time import time

from sbatchlint.cache import system
from sbatchlint.cache.digest import LENGTH, digest

TYPE_CHECKING = False  # that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VARIABLE = "SBATCHLINT_CACHE_DIR"
OPTION = "--cache-dir"
SWITCH = "--no-cache"
NAME = "answers-1"
"""The folder in the cache's folder; the number goes up with the form of what is kept."""
LARGEST = 16 * 1024 * 1024
"""Bytes of one file."""
_MOST_BYTES = 64 * 1024 * 1024
_MOST_FILES = 4096
_KEPT = 0.75
"""The part of either that is left when the oldest are cleaned away."""
_ABANDONED = 600
"""Seconds after which a file that is only half written is nobody's."""
_FRESH = 3600
"""Seconds for which a file counts as just used."""
_HEAD = b"sbatchlint 1 "
_OTHERS = 0o077
"""What others may not do.  What git checks out they may read: a project can't bring answers of its own."""


def place(environment: Mapping[str, str], words: Sequence[str] = ()) -> str | None:
    """Return the folder for what is kept that *environment* or the command line *words* name; None for none.

    ``--no-cache`` is none, and so is an empty name.
    """
    if SWITCH in words:
        return None
    named = _named(words)
    if named is None:
        named = environment.get(VARIABLE)
    if named is not None:
        return os.path.join(named, NAME) if named else None
    above, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if not os.path.isabs(above):
        above = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return os.path.join(above, "sbatchlint", NAME) if above else None


def _named(words: Sequence[str]) -> str | None:
    named = None
    for at, word in enumerate(words):
        if word == OPTION and at + 1 < len(words):
            named = words[at + 1]
        elif word.startswith(f"{OPTION}="):
            named = word[len(OPTION) + 1 :]
    return named


def load(folder: str, name: str) -> bytes | None:
    """Return what was saved as *name*, to the byte; None where there is no such thing."""
    try:
        if not _is_ours(folder):
            return None
        path = os.path.join(folder, name)
        descriptor = system.open_file(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        try:
            status = os.fstat(descriptor)
            mine = status.st_uid == os.geteuid() and not status.st_mode & _OTHERS
            if not (S_ISREG(status.st_mode) and mine and status.st_size <= LARGEST + 1024):
                return None
            data = _all_of(descriptor, status.st_size)
        finally:
            system.close(descriptor)
        if time() - status.st_mtime > _FRESH:
            system.utime(path)
    except (OSError, ValueError, MemoryError):
        return None
    head, body = data[: len(_HEAD) + LENGTH + 1], data[len(_HEAD) + LENGTH + 1 :]
    return body if head == _HEAD + digest(body).encode() + b"\n" else None


def _all_of(descriptor: int, size: int) -> bytes:
    pieces = []
    while size > 0:
        piece = system.read(descriptor, size)
        if not piece:
            break
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def save(folder: str, name: str, body: bytes) -> str:
    """Keep *body* as *name*, whole or not at all; return why it was not kept, which is empty where it was."""
    if len(body) > LARGEST:
        return "too much to be kept"
    try:
        reason = _made(folder)
        if reason:
            return reason
        _replace(folder, name, _HEAD + digest(body).encode() + b"\n" + body)
        _tidy(folder)
    except (OSError, ValueError) as error:
        return (getattr(error, "strerror", None) or str(error)).lower()
    return ""


def _made(folder: str) -> str:
    """Make *folder*, if it is not there; return why it can't be used."""
    from contextlib import suppress

    try:
        status = system.lstat(folder)
    except FileNotFoundError:
        _make_above(folder)
        with suppress(FileExistsError):
            system.mkdir(folder, 0o700)
        for name, text in ((".gitignore", b"*\n"), ("CACHEDIR.TAG", _TAG)):
            _replace(folder, name, text)
        status = system.lstat(folder)
    if not S_ISDIR(status.st_mode):
        return "it is no folder"
    return "" if _is_ours(folder) else "it belongs to somebody else, or is open to others"


def _make_above(folder: str) -> None:
    """Make the folders in which *folder* is to be."""
    from contextlib import suppress

    above = os.path.dirname(folder)
    with suppress(FileExistsError):
        try:
            system.mkdir(above or os.curdir, 0o700)
        except FileNotFoundError:
            if not above:  # the current folder is gone
                raise
            _make_above(above)
            system.mkdir(above, 0o700)


_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by sbatchlint: nothing here needs a backup.\n"


def _is_ours(folder: str) -> bool:
    status = system.lstat(folder)
    return S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & _OTHERS


def _replace(folder: str, name: str, data: bytes) -> None:
    from contextlib import suppress

    half = os.path.join(folder, f"{name}.{os.getpid()}.half")
    with suppress(FileNotFoundError):
        system.unlink(half)
    descriptor = system.open_file(half, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        finally:
            system.close(descriptor)
        system.replace(half, os.path.join(folder, name))
    except BaseException:
        with suppress(OSError):
            system.unlink(half)
        raise


def _tidy(folder: str) -> None:
    """Clean the oldest files away where there are too many, and what nobody finished."""
    from contextlib import suppress

    found, now = [], time()
    with system.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if entry.name.endswith(".half"):
                    if now - status.st_mtime > _ABANDONED:
                        system.unlink(entry.path)
                else:
                    found.append((status.st_mtime, status.st_size, entry.path))
    total, number = sum(size for _, size, _ in found), len(found)
    if total <= _MOST_BYTES and number <= _MOST_FILES:
        return
    for _, size, path in sorted(found):
        if total <= _MOST_BYTES * _KEPT and number <= _MOST_FILES * _KEPT:
            return
        with suppress(OSError):
            system.unlink(path)
        total, number = total - size, number - 1
