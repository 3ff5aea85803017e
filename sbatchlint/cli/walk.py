"""The files below a folder, in the order of their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from sbatchlint.cli.gitignore import ALWAYS_SKIPPED, IgnoreRules, rules_for


def walk(folder: str, unreadable: Callable[[str, OSError], None]) -> Iterator[str]:
    """Yield the regular files below *folder* that git does not ignore.

    Links to folders are not followed, as git does not: they lead out of the project or back into it.
    *unreadable* is told of each folder that cannot be listed.
    """
    yield from _walk(folder, rules_for(os.path.abspath(folder)), unreadable)


def _walk(folder: str, rules: IgnoreRules, unreadable: Callable[[str, OSError], None]) -> Iterator[str]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        unreadable(folder, error)
        return
    for entry in entries:
        absolute = os.path.join(os.path.abspath(folder), entry.name)
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in ALWAYS_SKIPPED and not rules.ignores(absolute, is_folder=True):
                yield from _walk(entry.path, rules.entered(absolute), unreadable)
        elif _is_file(entry) and not rules.ignores(absolute, is_folder=False):
            yield entry.path


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads in a circle
        return False
