"""The files below a folder, in the order of their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sbatchlint.cli.gitignore import ALWAYS_SKIPPED, IgnoreRules, rules_for


def walk(
    folder: str,
    unreadable: Callable[[str, OSError], None],
    excludes: Callable[[str, bool], bool] | None = None,
    *,
    gitignore: bool = True,
) -> Iterator[str]:
    """Yield the regular files below *folder* that git does not ignore, unless *gitignore* is off.

    Links to folders are not followed, as git does not: they lead out of the project or back into it.
    *unreadable* is told of each folder that cannot be listed.  *excludes* is given a path, and whether a
    folder is there, and tells whether it is left out.
    """
    absolute = os.path.abspath(folder)
    rules = rules_for(absolute) if gitignore else IgnoreRules(absolute)
    yield from _Walk(unreadable, excludes or _nothing, gitignore).below(folder, rules)


def _nothing(path: str, is_folder: bool) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class _Walk:
    unreadable: Callable[[str, OSError], None]
    excludes: Callable[[str, bool], bool]
    gitignore: bool

    def below(self, folder: str, rules: IgnoreRules) -> Iterator[str]:
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self.unreadable(folder, error)
            return
        for entry in entries:
            absolute = os.path.join(os.path.abspath(folder), entry.name)
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and entry.name in ALWAYS_SKIPPED:
                continue
            if not (is_folder or _is_file(entry)) or rules.ignores(absolute, is_folder=is_folder):
                continue
            if self.excludes(entry.path, is_folder):
                continue
            if is_folder:
                inside = rules.entered(absolute) if self.gitignore else rules
                yield from self.below(entry.path, inside)
            else:
                yield entry.path


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads in a circle
        return False
