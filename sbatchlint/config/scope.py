"""Which files are looked at."""

from __future__ import annotations

import os
from collections.abc import Sequence

from sbatchlint.config.globs import Globs
from sbatchlint.config.resolve import Resolver
from sbatchlint.config.sheets import Given, Sheet, Stack, closest, each, value_of


class Scope:
    """Says of paths, which are absolute, whether they are to be looked at.

    Every method raises ConfigError or TomlError where the configuration of the path's folder is wrong.
    """

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._excludes: dict[Stack, tuple[Globs, ...]] = {}
        self._includes: dict[Stack, Globs | None] = {}
        self._folders: dict[str, bool] = {}

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether *path* is left out by the files that hold in its folder."""
        stack = self._resolver.stack(os.path.dirname(path))
        if stack not in self._excludes:
            self._excludes[stack] = tuple(_excludes((*stack.files, stack.top)))
        return any(globs.match(path, is_folder=is_folder) for globs in self._excludes[stack])

    def forces(self, path: str) -> bool:
        """Tell whether *path* is left out even where somebody names it."""
        return self._says(path, "force-exclude", False)

    def excludes_anywhere(self, path: str, is_folder: bool) -> bool:
        """Tell whether *path* or a folder that it is in is left out."""
        return self.excludes(path, is_folder=is_folder) or self._folder_is_out(os.path.dirname(path))

    def includes(self, path: str) -> bool | None:
        """Tell whether ``include`` names *path*; None where it names nothing."""
        stack = self._resolver.stack(os.path.dirname(path))
        if stack not in self._includes:
            given = closest((*stack.files, stack.top), "include")
            self._includes[stack] = _globs(given) if given and given.value else None
        globs = self._includes[stack]
        return None if globs is None else globs.match(path)

    def respects_gitignore(self, folder: str) -> bool:
        """Tell whether what git ignores in *folder* is left out."""
        return self._says(os.path.join(folder, os.curdir), "respect-gitignore", True)

    def wants_markdown(self, path: str) -> bool:
        """Tell whether the shell blocks of the Markdown file *path* are checked."""
        return self._says(path, "include-markdown", False)

    def _says(self, path: str, key: str, default: bool) -> bool:
        stack = self._resolver.stack(os.path.dirname(path))
        return bool(value_of((*stack.files, stack.top), key, default))

    def _folder_is_out(self, folder: str) -> bool:
        if folder not in self._folders:
            above = os.path.dirname(folder)
            self._folders[folder] = above != folder and (
                self.excludes(folder, is_folder=True) or self._folder_is_out(above)
            )
        return self._folders[folder]


def _excludes(sheets: Sequence[Sheet]) -> list[Globs]:
    base = closest(sheets, "exclude")
    return [_globs(given) for given in [*([base] if base else []), *each(sheets, "extend-exclude")]]


def _globs(given: Given) -> Globs:
    return Globs(given.value, given.folder)
