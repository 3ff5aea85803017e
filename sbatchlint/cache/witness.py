"""Writing down what a run asks of the file system, so that a later one can ask whether it is still so.

For as long as somebody watches, ``open`` and the functions of ``os`` that look at files are replaced wherever
they are held (``doors.py``), by ones that note each question with its answer.  Nothing can be forgotten so,
whoever asks: an answer of ours is only as good as the list of what it rests on.  Python's own imports pass by
here; what they load is told by ``surroundings.py``.
"""

from __future__ import annotations

import io
import os
import posix
import pwd
from collections.abc import Callable, Iterator
from stat import S_ISREG
from typing import Any, ClassVar

from sbatchlint.cache import facts, system
from sbatchlint.cache.digest import Digesting, digest_of
from sbatchlint.cache.doors import Door, Doorway

_HARMLESS = (os.devnull,)


class Seen:
    """What has been asked, and whether that is all."""

    def __init__(self) -> None:
        self.facts: dict[facts.Question, str] = {}
        self.complete = True
        """False where something was asked that can't be asked again, or was written."""

    def note(self, kind: str, path: str, answer: str) -> None:
        """Keep an answer; two that contradict each other are a change under our feet."""
        if self.facts.setdefault((kind, path), answer) != answer:
            self.complete = False

    def add(self, other: Seen) -> None:
        """Take over what *other* has."""
        self.complete = self.complete and other.complete
        for (kind, path), answer in other.facts.items():
            self.note(kind, path, answer)


class Watch:
    """``with Watch() as seen``: everything that is asked meanwhile gets into *seen*; may be nested."""

    _open: ClassVar[list[Seen]] = []

    def __enter__(self) -> Seen:
        seen = Seen()
        if not Watch._open:
            seen.complete = _DOORS.open()
        Watch._open.append(seen)
        return seen

    def __exit__(self, *_: object) -> None:
        done = Watch._open.pop()
        if Watch._open:
            Watch._open[-1].add(done)
        else:
            _DOORS.shut()


def spoil() -> None:
    """Say that the answer rests on something that nobody can ask for again."""
    if Watch._open:
        Watch._open[-1].complete = False


def is_watched() -> bool:
    """Tell whether anybody watches: to begin takes as long as checking a script of a few lines."""
    return bool(Watch._open)


def take_over(seen: Seen) -> None:
    """Say that the answer rests on all that was *seen*, by another process."""
    if Watch._open:
        Watch._open[-1].add(seen)


def _note(kind: str, path: str, answer: str) -> None:
    if Watch._open:  # a file that is closed late may come after the end
        Watch._open[-1].note(kind, path, answer)


def _text(path: Any) -> str | None:
    """Return *path* as text; None for a descriptor, which was noted when it was opened."""
    if isinstance(path, int):
        return None
    return os.fsdecode(path)


def _asking(kind: str, name: str, tell: Callable[[Any], str]) -> Callable[..., Any]:
    def asked(path: Any = ".", *more: Any, **options: Any) -> Any:
        text = _text(path)
        if options.get("dir_fd") is not None or (more and kind in "SL"):
            spoil()
        follows = options.get("follow_symlinks", True)
        real = kind if kind != "S" or follows else "L"
        try:
            found = getattr(system, name)(path, *more, **options)
        except OSError as error:
            if text is not None:
                _note(real, text, facts.failure(error))
            raise
        if text is not None:
            _note(real, text, tell(found))
        return found

    return asked


def _scandir(path: Any = ".") -> Any:
    text = _text(path)
    try:
        with system.scandir(path) as listing:
            entries = list(listing)
    except OSError as error:
        if text is not None:
            _note("D", text, facts.failure(error))
        raise
    if text is None or not isinstance(os.fspath(path), str):
        spoil()
    else:
        _note("D", text, facts.listed(entries))
    return _Listing(entries)


class _Listing:
    """What ``os.scandir`` gives: an iterator that may be closed."""

    def __init__(self, entries: list[os.DirEntry[str]]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        return self

    def __next__(self) -> os.DirEntry[str]:
        return next(self._entries)

    def __enter__(self) -> _Listing:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._entries = iter(())


def _access(path: Any, mode: int, **options: Any) -> bool:
    found = system.access(path, mode, **options)
    text = _text(path)
    if options or text is None:
        spoil()
    else:
        _note("A", f"{mode}:{text}", str(int(found)))
    return found


def _chdir(path: Any) -> None:
    before = os.getcwd()
    system.chdir(path)
    if os.getcwd() != before:
        spoil()  # what a relative path means is another thing now


def _low_open(path: Any, flags: int, *more: Any, **options: Any) -> int:
    if path not in _HARMLESS:
        spoil()  # to be written, or to be read by descriptor: neither is ours to follow
    return system.open_file(path, flags, *more, **options)


def _opened(
    file: Any,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    closefd: bool = True,
    opener: Any = None,
) -> Any:
    path = _text(file)
    if path is None or opener is not None or set(mode) & set("wax+"):
        if path not in (None, *_HARMLESS):
            spoil()
        return system.open_text(file, mode, buffering, encoding, errors, newline, closefd, opener)
    raw = _SeenFile(path)
    if "b" not in mode:
        return io.TextIOWrapper(io.BufferedReader(raw), encoding, errors, newline)
    return raw if buffering == 0 else io.BufferedReader(raw)


class _SeenFile(io.FileIO):
    """A file that is read from its beginning and knows what has been read of it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._noted = True
        try:
            super().__init__(path, "rb")
        except OSError as error:
            _note("R", path, facts.failure(error))
            raise
        self._noted = False
        self._length = 0
        self._ended = False
        self._digesting = Digesting()
        if not S_ISREG(os.fstat(self.fileno()).st_mode):
            spoil()  # a pipe gives what it has to one reader alone

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        self._take(memoryview(buffer)[:count] if count else b"")
        return count

    def read(self, size: int | None = -1) -> Any:
        if size is None or size < 0:
            return self.readall()
        data = super().read(size)
        self._take(data or b"")
        return data

    def readall(self) -> Any:
        data = super().readall()
        self._take(data or b"")
        self._ended = True
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        spoil()
        return super().seek(offset, whence)

    def close(self) -> None:
        if not self._noted:
            self._noted = True
            _note("R", self._path, facts.content(self._length, self._ended, self._digesting.text()))
        super().close()

    def _take(self, data: bytes | memoryview) -> None:
        self._digesting.add(data)
        self._length += len(data)
        self._ended = not data


_UNTOLD = frozenset(
    {
        *("statvfs", "getxattr", "listxattr", "pathconf", "fchdir", "chroot"),
        *("getpwnam", "getpwuid", "getpwall"),
        *("mkdir", "mkfifo", "mknod", "link", "symlink", "rename", "replace", "remove", "unlink", "rmdir"),
        *("chmod", "chown", "lchown", "utime", "truncate", "setxattr", "removexattr", "chflags", "lchflags"),
    }
)
"""Functions that ask what nobody asks again, or that change something."""


def _untold() -> Iterator[Any]:
    """Yield the functions for which there is no kind of question."""
    for module in (posix, pwd):
        yield from (value for name, value in vars(module).items() if name in _UNTOLD)


class _Spoiling(Door):
    """What stands in the place of a function of which nothing can be noted."""

    __slots__ = ()

    def __init__(self, original: Any) -> None:
        super().__init__(original, self._spoil)

    def _spoil(self, *given: Any, **named: Any) -> Any:
        spoil()
        return self.original(*given, **named)


def _same(text: Any) -> str:
    return os.fsdecode(text)


_DOORS = Doorway(
    [
        Door(system.open_text, _opened),
        Door(system.open_file, _low_open),
        Door(system.stat, _asking("S", "stat", facts.told)),
        Door(system.lstat, _asking("L", "lstat", facts.told)),
        Door(system.readlink, _asking("K", "readlink", _same)),
        Door(system.listdir, _asking("N", "listdir", lambda found: digest_of(sorted(map(_same, found))))),
        Door(system.scandir, _scandir),
        Door(system.access, _access),
        Door(system.chdir, _chdir),
        *(_Spoiling(function) for function in _untold()),
    ]
)
