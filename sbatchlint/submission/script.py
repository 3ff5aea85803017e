"""The script that sbatch would take: from a file, from standard input, or made by ``--wrap``.

Which file it takes, and what ``--wrap`` makes, was seen on Slurm 22.05.8.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from contextlib import suppress

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.submission.command_line import CommandLine

_WRAPPED = "#!/bin/sh\n{}\n\n{}\n"
_NOTE = "# This script was created by sbatch --wrap."
_NO_DIRECTIVES = ":"
"""Stands for the note where the command has lines that look like directives: sbatch reads none there."""
_LIKE_DIRECTIVE = regex(r"^#(?:SBATCH|SLURM)", re.MULTILINE)
_DESCRIPTOR = regex(r"/dev/(?:fd/(?P<number>[0-9]{1,6})|stdin)|/proc/self/fd/(?P<other>[0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Script:
    """The text of a script and how it is to be called."""

    name: str
    """``-`` for standard input, ``--wrap`` for a script that sbatch makes, else the path of the file."""
    data: bytes


class UnreadableError(Exception):
    """Why the script can't be read here; sbatch may take it all the same."""


def script_of(command: CommandLine, here: str, path: Sequence[str], most: int) -> Script:
    """Return the script that sbatch would take, of a file at most *most* bytes.

    *here* is the folder of submission, *path* the folders of PATH.  Standard input is read and put back.
    Raises UnreadableError.
    """
    if command.wrap is not None:
        return wrapped_script(command.wrap)
    try:
        if command.script is None:
            return Script("-", take_descriptor(0))
        name = find_script(command.script, command.workplace(here), path)
        data = read_file(name, most)
        number = descriptor_of(name)
        if data is None and number is not None:
            _open_by_name(name)
            data = take_descriptor(number)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise UnreadableError(f"the script can't be read ({(reason or str(error)).lower()})") from error
    if data is None:
        raise UnreadableError("the script is no regular file, and can be read but once")
    return Script(name_of(name, here), data)


def name_of(path: str, here: str) -> str:
    """Return what the script at *path* is called, seen from the folder *here*."""
    return path.removeprefix(here.rstrip("/") + "/")


def wrapped_script(command: str) -> Script:
    """Return the script that ``sbatch --wrap COMMAND`` makes, as far as its meaning goes."""
    head = _NO_DIRECTIVES if _LIKE_DIRECTIVE.search(command) else _NOTE
    return Script("--wrap", os.fsencode(_WRAPPED.format(head, command)))


def find_script(name: str, folder: str, path: Sequence[str]) -> str:
    """Return the path of the file that sbatch opens for the script *name*.

    A name that begins with ``/`` or ``.`` is taken as it is; another is looked for in *folder*, the job's,
    and in the folders of *path*, where each regular file will do, executable or not.  What is found nowhere
    is opened by its name, in the present folder.
    """
    if not name or name.startswith(("/", ".")):
        return name
    for place in (folder, *path):
        found = os.path.join(place, name)
        if os.path.isfile(found):
            return found
    return name


def descriptor_of(path: str) -> int | None:
    """Return the number of the open file that *path* stands for, as ``/dev/fd/63`` of ``<(...)`` does.

    None for every other path.
    """
    match = _DESCRIPTOR.fullmatch(path)
    return None if match is None else int(match["number"] or match["other"] or 0)


def read_file(path: str, most: int) -> bytes | None:
    """Return at most *most* bytes of the regular file at *path*; None for what can be read but once.

    Raises OSError where it is not there or can't be read.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        return None
    with open(path, "rb") as file:
        return file.read(most)


def take_descriptor(number: int) -> bytes:
    """Read all of the open file *number* and put it back: who reads it next finds the same bytes.

    A file keeps its place; what can be read but once, such as a pipe, is replaced by a copy.  Raises OSError
    where it is not open or can't be read.
    """
    if stat.S_ISREG(os.fstat(number).st_mode):
        start = os.lseek(number, 0, os.SEEK_CUR)
        data = _rest(number)
        os.lseek(number, start, os.SEEK_SET)
        return data
    data = _rest(number)
    _replace(number, data)
    return data


def _open_by_name(path: str) -> None:
    """Raise OSError where sbatch could not open *path* either: its copy could be opened, a socket can't."""
    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


def _rest(number: int) -> bytes:
    pieces = []
    while piece := os.read(number, 1 << 16):
        pieces.append(piece)
    return b"".join(pieces)


def _replace(number: int, data: bytes) -> None:
    copy = _nameless_file()
    try:
        _write(copy, data)
        os.lseek(copy, 0, os.SEEK_SET)
    except OSError:  # a limit on the size of files (ulimit -f) holds in memory as well
        os.close(copy)
        copy = _fed_pipe(data)
    os.dup2(copy, number)
    os.close(copy)


def _write(number: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(number, view) :]


def _fed_pipe(data: bytes) -> int:
    """Open a pipe into which a process that nobody has to wait for writes *data*."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:  # pragma: no cover - in another process
        os.close(reader)
        if not os.fork():
            with suppress(OSError):
                _write(writer, data)
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    return reader


def _nameless_file() -> int:
    """Open a new file that ends with its last reader: in memory, where the system can."""
    try:
        return os.memfd_create("script")
    except (AttributeError, OSError):
        import tempfile

        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
