"""The files below a folder, in the order of their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from sbatchlint.cli.gitignore import ALWAYS_SKIPPED, IgnoreRules, rules_for
from sbatchlint.lint.roots import leaves_repository
from sbatchlint.records import dataclass
from sbatchlint.writing.half import is_half


def walk(
    folder: str,
    unreadable: Callable[[str, OSError], None],
    excludes: Callable[[str, bool], bool] | None = None,
    *,
    gitignore: bool = True,
    leads_out: Callable[[str], None] | None = None,
) -> Iterator[str]:
    """Yield the regular files below *folder* that git does not ignore, unless *gitignore* is off.

    Links to folders are not followed, as git does not: they lead out of the project or back into it.
    Neither are links to files that lead out of the git repository; *leads_out* is told of each.
    *unreadable* is told of each folder that cannot be listed.  *excludes* is given a path, and whether a
    folder is there, and tells whether it is left out.
    """
    absolute = os.path.abspath(folder)
    rules = rules_for(absolute) if gitignore else IgnoreRules(absolute)
    yield from _Walk(unreadable, excludes or _nothing, gitignore, leads_out or _pass).below(folder, rules)


def _nothing(path: str, is_folder: bool) -> bool:
    return False


def _pass(path: str) -> None:
    return


@dataclass(frozen=True, slots=True)
class _Walk:
    unreadable: Callable[[str, OSError], None]
    excludes: Callable[[str, bool], bool]
    gitignore: bool
    leads_out: Callable[[str], None]

    def below(self, folder: str, rules: IgnoreRules) -> Iterator[str]:
        open_folders = [self._inside(folder, rules)]  # a folder may be deeper than Python can call itself
        while open_folders:
            found = next(open_folders[-1], None)
            if found is None:
                open_folders.pop()
            elif isinstance(found, str):
                yield found
            else:
                open_folders.append(self._inside(*found))

    def _inside(self, folder: str, rules: IgnoreRules) -> Iterator[str | tuple[str, IgnoreRules]]:
        """Yield the files in *folder*, and the folders with the rules in force there."""
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self.unreadable(folder, error)
            return
        for entry in entries:
            absolute = os.path.join(os.path.abspath(folder), entry.name)
            is_folder = entry.is_dir(follow_symlinks=False)
            if (is_folder and entry.name in ALWAYS_SKIPPED) or is_half(entry.name):
                continue
            if not (is_folder or _is_file(entry)) or rules.ignores(absolute, is_folder=is_folder):
                continue
            if self.excludes(entry.path, is_folder):
                continue
            if is_folder:
                inside = rules.entered(absolute) if self.gitignore else rules
                yield entry.path, inside
            elif entry.is_symlink() and leaves_repository(entry.path, folder):
                self.leads_out(entry.path)
            else:
                yield entry.path


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads in a circle
        return False
