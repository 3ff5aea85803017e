"""From the paths of the command line to the bytes of the batch scripts that they stand for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from typing import Protocol

from sbatchlint.cli import recognise
from sbatchlint.cli.walk import walk
from sbatchlint.files import open_bytes
from sbatchlint.records import dataclass

STDIN = "-"
_MOST_OF_STDIN = 256 << 20
"""Bytes; what is no script is passed on by ``--fix`` as it came, but no endless device is."""


class Kind(Enum):
    """How a file is read."""

    BATCH = "a batch script"
    INTERACTIVE = "command lines"
    """A shell script without directives: its job is asked for elsewhere, or by a salloc in it."""
    MARKDOWN = "Markdown"


@dataclass(frozen=True, slots=True)
class Input:
    """One file to be checked."""

    path: str
    """As the user named it or as it was found below a folder that they named."""
    data: bytes
    from_stdin: bool = False
    kind: Kind = Kind.BATCH
    passed_over: bool = False
    """Not to be checked; only standard input is kept then, since ``--fix`` has to pass it on."""
    target: str = ""
    """The file's path without symbolic links, as it was when the file was read; empty for standard input."""
    is_link: bool = False
    """Whether it is a symbolic link to the file."""

    @property
    def folder(self) -> str | None:
        """The folder that the file stands in; None for standard input."""
        return None if self.from_stdin else os.path.dirname(self.path) or os.curdir


class Scope(Protocol):
    """What says which files are to be looked at; paths are as they were named or found."""

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether *path*, found in a folder, is left out."""

    def excludes_named(self, path: str, *, is_folder: bool = False, force: bool = False) -> bool:
        """Tell whether *path*, which was named, is left out all the same; *force* says that it may be."""

    def includes(self, path: str) -> bool | None:
        """Tell whether *path* is among the files to look at; None where its name says nothing of it."""

    def respects_gitignore(self, folder: str) -> bool:
        """Tell whether what git ignores in *folder* is left out."""

    def wants_markdown(self, path: str) -> bool:
        """Tell whether the shell blocks of the Markdown file *path* are checked."""


class Everything:
    """Leaves nothing out but what git ignores."""

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Say no."""
        return False

    def excludes_named(self, path: str, *, is_folder: bool = False, force: bool = False) -> bool:
        """Say no."""
        return False

    def includes(self, path: str) -> bool | None:
        """Say nothing."""
        return None

    def respects_gitignore(self, folder: str) -> bool:
        """Say yes."""
        return True

    def wants_markdown(self, path: str) -> bool:
        """Say no."""
        return False


class Gatherer:
    """Collects inputs, each once, and reports in one line each what cannot be checked."""

    def __init__(
        self,
        complain: Callable[[str, str], None],
        scope: Scope | None = None,
        *,
        stdin_name: str | None = None,
        only_scripts: bool = False,
    ) -> None:
        """*complain* takes a path and what is wrong with it; *stdin_name* is what ``-`` is to be called.

        *only_scripts* passes over named files as if they had been found in a folder.
        """
        self._scope = scope or Everything()
        self._complain = complain
        self._stdin_name = stdin_name
        self._only_scripts = only_scripts
        self._found: dict[str, Input] = {}
        self.passed_over: list[str] = []
        """Named files that are nothing to be checked."""
        self.led_out: list[str] = []
        """Links with names of scripts that were found in a folder and lead out of its repository."""
        self.excluded: list[str] = []
        """What the configuration leaves out: of folders what was met on the way, of named paths all."""

    def gather(self, paths: Iterable[str]) -> list[Input]:
        """Return the batch scripts that *paths* stand for, sorted by path."""
        for path in paths:
            if path == STDIN:
                self._add_stdin()
            elif self._leaves_out(path):
                self.excluded.append(path)
            elif os.path.isdir(path):
                self._add_folder(path)
            elif self._only_scripts:
                self._add_walked(path)
            else:
                self._add_named(path)
        return sorted(self._found.values(), key=lambda found: found.path)

    def _leaves_out(self, path: str) -> bool:
        """Tell whether *path*, which was named, is left out; with ``only_scripts`` as if it were found."""
        is_folder = os.path.isdir(path)
        if self._scope.excludes_named(path, is_folder=is_folder, force=self._only_scripts):
            return True
        return self._only_scripts and not is_folder and self._scope.includes(path) is False

    def _add_stdin(self) -> None:
        if STDIN in self._found:
            return
        data = sys.stdin.buffer.read(_MOST_OF_STDIN + 1)
        name = self._stdin_name or STDIN
        if len(data) > _MOST_OF_STDIN:
            self._complain(name, "more than 256 MiB: not checked, and not passed on; give a script")
            return
        fault = recognise.fault(data[: recognise.MAX_BYTES + 1])
        if fault:
            self._complain(name, fault)
        kind = self._kind(name, data, named=True)
        excluded = self._stdin_name is not None and self._scope.excludes_named(name)
        other = self._stdin_name is not None and kind is None
        passed_over = bool(fault) or other or excluded
        self._found[STDIN] = Input(name, data, True, kind or Kind.BATCH, passed_over)

    def _add_named(self, path: str) -> None:
        data = self._read(path)
        if data is None:
            return
        fault = recognise.fault(data)
        if fault:
            self._complain(path, fault)
        elif kind := self._kind(path, data, named=True):
            self._add(Input(path, data, kind=kind))
        else:
            self.passed_over.append(path)

    def _add_folder(self, folder: str) -> None:
        scripts, known = 0, len(self.excluded) + len(self.led_out)
        gitignore = self._scope.respects_gitignore(folder)
        found = walk(
            folder, self._cannot_read, self._excluder(folder), gitignore=gitignore, leads_out=self._led_out
        )
        for path in found:
            if self._scope.includes(path) is not False:
                scripts += self._add_walked(path)
        if not scripts and len(self.excluded) + len(self.led_out) == known:
            self._complain(
                folder,
                "no batch script in this folder (a #SBATCH line, or a name in .sbatch, .slurm or .job); "
                "name the file itself",
            )

    def _led_out(self, path: str) -> None:
        if recognise.may_be_script(path, b"") and self._scope.includes(path) is not False:
            self.led_out.append(path)

    def _excluder(self, folder: str) -> Callable[[str, bool], bool]:
        """Return what tells of the paths in *folder* whether they are left out.

        Who names a folder that is left out itself wants to have it looked at.
        """
        if self._scope.excludes(folder, is_folder=True):
            return lambda path, is_folder: False

        def excludes(path: str, is_folder: bool) -> bool:
            out = self._scope.excludes(path, is_folder=is_folder)
            if out:
                self.excluded.append(path)
            return out

        return excludes

    def _add_walked(self, path: str) -> bool:
        """Read a file that nobody named; tell whether it is a batch script, were it a faulty one."""
        data = self._read(path, self._may_be_wanted)
        kind = None if data is None else self._kind(path, data)
        if data is None or kind is None:
            return False
        fault = recognise.fault(data)
        if fault:
            self._complain(path, fault)
        else:
            self._add(Input(path, data, kind=kind))
        return True

    def _may_be_wanted(self, path: str, head: bytes) -> bool:
        if recognise.is_markdown(path):
            return self._scope.wants_markdown(path)
        return recognise.may_be_script(path, head) or bool(self._scope.includes(path))

    def _kind(self, path: str, data: bytes, *, named: bool = False) -> Kind | None:
        """Return how the file is to be read; None where it is of no concern."""
        if recognise.is_markdown(path):
            return Kind.MARKDOWN if self._scope.wants_markdown(path) else None
        if recognise.has_batch_name(path) or recognise.has_directive(data):
            return Kind.BATCH
        if named and recognise.has_foreign_directive(data):
            return Kind.BATCH
        return Kind.INTERACTIVE if recognise.has_command(data) else None

    def _read(self, path: str, wanted: Callable[[str, bytes], bool] | None = None) -> bytes | None:
        """Return the file's bytes, at most one more than the limit, if its head is *wanted*."""
        try:
            with open_bytes(path) as file:
                head = file.read(recognise.HEAD_BYTES)
                if wanted is not None and not wanted(path, head):
                    return None
                return head + file.read(recognise.MAX_BYTES + 1 - len(head))
        except FileNotFoundError:
            self._complain(path, "no such file or folder; check the path")
        except OSError as error:
            if wanted is None or recognise.has_script_name(path):
                self._cannot_read(path, error)
        return None

    def _cannot_read(self, path: str, error: OSError) -> None:
        reason = (error.strerror or str(error)).lower()
        locked = isinstance(error, PermissionError)
        remedy = "check its permissions or leave it out" if locked else "leave it out"
        self._complain(path, f"cannot be read ({reason}); {remedy}")

    def _add(self, found: Input) -> None:
        """Keep *found*; of two names of one file keep the one that is not a link, else the first."""
        real = os.path.realpath(found.path)
        found = replace(found, target=real, is_link=os.path.islink(found.path))
        known = self._found.get(real)
        if known is None or (known.is_link and not found.is_link):
            self._found[real] = found
