"""Facts of the file system on which an answer rests, and whether they still are facts.

A fact is a question and its answer: ``("S", "/etc/x", "!2")`` says that asking for the status of ``/etc/x``
gave error number 2 (there is none).  A question is a kind, one of the letters of :data:`ASK`, and a path.
"""

from __future__ import annotations

import os
from errno import ESPIPE
from os import O_CLOEXEC, O_NONBLOCK, O_RDONLY
from stat import S_IFMT, S_ISREG

from sbatchlint.cache import system
from sbatchlint.cache.digest import digest, digest_of

TYPE_CHECKING = False  # that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Question = tuple[str, str]
    Facts = Mapping[Question, str]

SOURCES = (".py", ".json", ".so")
"""How the names of files end that make a program of Python."""
IMPORTED = frozenset({"py", "so", "pth", "dist-info", "egg-info", "egg-link", "egg", "zip"})
"""How the names of what may be imported end, but for folders."""


def status(path: str) -> str:
    """Return what kind of thing is at *path*, links followed: its mode, and the size of a file."""
    return told(system.stat(path))


def own_status(path: str) -> str:
    """Return the same of the link itself."""
    return told(system.lstat(path))


def told(found: os.stat_result) -> str:
    """Return what counts of a status.  The times do not, and neither do the sizes of folders."""
    return f"{found.st_mode:o}:{found.st_size if S_ISREG(found.st_mode) else ''}"


def listing(path: str) -> str:
    """Return a digest of the entries of the folder *path* and of their kinds."""
    with system.scandir(path) as entries:
        return listed(list(entries))


def listed(entries: Iterable[os.DirEntry[str]]) -> str:
    """Return a digest of *entries*."""
    return digest_of(sorted(f"{_kind(entry)}{entry.name}" for entry in entries))


def _kind(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_symlink():
            return f"l{entry.is_dir():d}{entry.is_file():d}"
        return "d" if entry.is_dir() else "f" if entry.is_file() else "o"
    except OSError:  # a link that leads in a circle
        return "?"


def names(path: str) -> str:
    """Return a digest of the names in the folder *path*."""
    return digest_of(sorted(system.listdir(path)))


def link(path: str) -> str:
    """Return where the link *path* leads."""
    return system.readlink(path)


def permission(path: str) -> str:
    """Return whether *path*, behind the mode to ask for and a colon, may be used so."""
    mode, _, path = path.partition(":")
    return str(int(system.access(path, int(mode))))


def beginning(path: str, length: int, whole: bool) -> str:
    """Return what is known of a file of which *length* bytes were read, and with *whole* the end was met."""
    descriptor = _opened(path)
    try:
        data = system.read(descriptor, length + 1)
    finally:
        system.close(descriptor)
    ended = len(data) <= length
    return content(len(data) if ended else length, whole and ended, digest(data[:length]))


def _opened(path: str) -> int:
    """Open a file to be read; a pipe, or a device, is left alone: asking would take something out of it."""
    if not S_ISREG(system.stat(path).st_mode):
        raise OSError(ESPIPE, "no file")
    return system.open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)


def content(length: int, whole: bool, digest: str) -> str:
    """Return the answer to ``R``: bytes that were read, whether there are no more, and their digest."""
    return f"{length}:{whole:d}:{digest}"


def program(path: str) -> str:
    """Return a digest of the sizes and times of all files that make the program in the folder *path*."""
    found = []
    folders = [path]
    while folders:
        folder = folders.pop()
        with system.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(SOURCES):
                    found.append(f"{entry.path}\0{_unchanged(entry.stat())}")
                elif entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return digest_of(sorted(found))


def _unchanged(found: os.stat_result) -> str:
    """Return what stays the same as long as nobody changes a file: nobody can set the time of the status."""
    return f"{S_IFMT(found.st_mode):o}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def installed(path: str) -> str:
    """Return a digest of what may be imported from the folder *path*, and of the releases installed there."""
    found = []
    with system.scandir(path) as entries:
        for entry in entries:
            _, dot, ending = entry.name.rpartition(".")
            if ending in IMPORTED if dot else not entry.is_file(follow_symlinks=False):
                found.append(entry.name)
    return digest_of(sorted(found))


def executable(path: str) -> str:
    """Return what tells whether the program at *path* is the same."""
    return _unchanged(system.stat(path))


def today(_: str) -> str:
    """Return the date, as the user's clock has it."""
    from time import strftime

    return strftime("%Y-%m-%d")


ASK: dict[str, Callable[[str], str]] = {
    "S": status,
    "L": own_status,
    "D": listing,
    "N": names,
    "K": link,
    "A": permission,
    "P": program,
    "I": installed,
    "X": executable,
    "Y": today,
}
"""What answers each kind of question but ``R``, whose answer says how much to read."""


def answer(kind: str, path: str, before: str = "") -> str:
    """Return today's answer to a question; *before* is the one it was given, which ``R`` needs."""
    try:
        if kind == "R":
            length, whole, _ = before.split(":")
            return beginning(path, int(length), whole == "1")
        return ASK[kind](path)
    except OSError as error:
        return failure(error)


def failure(error: OSError) -> str:
    """Return the answer of a file system that refuses."""
    return f"!{error.errno}"


def hold(facts: Facts) -> bool:
    """Tell whether all *facts* still are facts.  Never raises for what they say, be it nonsense."""
    try:
        return all(_holds(kind, path, before) for (kind, path), before in facts.items())
    except (ValueError, KeyError, OverflowError, MemoryError):
        return False


def _holds(kind: str, path: str, before: str) -> bool:
    if kind == "R" and before.startswith("!"):
        try:
            system.close(_opened(path))
        except OSError as error:
            return failure(error) == before
        return False
    return answer(kind, path, before) == before
