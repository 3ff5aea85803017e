"""Globs of configuration files, which match as lines of ``.gitignore`` do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sbatchlint.glob_lines import compiled, seen_from

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Globs:
    """Globs that count from a folder."""

    def __init__(self, globs: Sequence[str], folder: str) -> None:
        self._globs = tuple(globs)
        self._folder = folder

    def match(self, path: str, *, is_folder: bool = False) -> bool:
        """Tell whether one of the globs matches *path*, which is absolute, or a folder that it is in."""
        if not self._globs:
            return False
        seen = seen_from(self._folder, path)
        return seen != os.curdir and self._spec.match_file(seen + ("/" if is_folder else ""))

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        return compiled(self._globs)


def fault(glob: str, *, negation: bool = False) -> str:
    """Return why *glob* can match nothing, and what to write; empty where it may match.

    *negation* allows a leading ``!``, which takes back what an earlier glob matched.
    """
    if not glob.strip():
        return "it is empty"
    if glob != glob.strip():
        return "leave out the blanks around it"
    if glob.startswith("#"):
        return "it would be a comment; write \\# for a name that begins with #"
    if glob.startswith("!") and not negation:
        return "a glob that takes back has nothing to take back here"
    body = glob.removeprefix("!")
    if body.startswith("./"):
        return f"leave out the dot: {body.removeprefix('.')!r} is anchored in the folder of this file"
    if ".." in body.split("/"):
        return "it counts from the folder of this file and can't lead out of it"
    if "//" in body:
        return "write one slash"
    if body.startswith("~"):
        return "~ is not expanded in a glob; it counts from the folder of this file"
    return _refused(glob)


def _refused(glob: str) -> str:
    try:
        patterns = list(compiled((glob,)).patterns)
    except ValueError:
        return "it can't be read; write it as a line of .gitignore"
    return "" if any(pattern.include is not None for pattern in patterns) else "it matches no path"
