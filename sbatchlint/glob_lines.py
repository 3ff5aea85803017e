"""Globs as lines of a ``.gitignore``: those of the configuration, of exceptions and of git's own files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def compiled(lines: Iterable[str]) -> GitIgnoreSpec:
    """Return *lines* ready to match.  Raises ValueError for one that can't be read.

    They are tried one after the other: pathspec would put them all into one automaton of RE2 where that is
    installed, which fails for some thousand lines, with messages of its own on standard error.
    """
    from pathspec import GitIgnoreSpec  # only where there is something to match: 50 ms

    with warnings.catch_warnings():
        # `[[]` is a good glob, and what pathspec makes of it a good regular expression in all Pythons so far.
        warnings.simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec.from_lines(lines, backend="simple")


def seen_from(folder: str, path: str) -> str:
    """Return *path*, absolute, as globs that count from *folder* see it.

    A path outside of the folder is seen from the root, so that the globs of a site's file mean all paths.
    """
    inside = os.path.relpath(path, folder)
    outside = inside == os.pardir or inside.startswith(os.pardir + os.sep)
    return path.lstrip(os.sep) if outside else inside
