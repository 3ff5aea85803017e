"""Globs as lines of a ``.gitignore``: those of the configuration, of exceptions and of git's own files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sbatchlint.regex import regex

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_STARS = regex(r"\*+")
_MANY = 3
"""So many stars in one glob take Python's expressions minutes on a name that was made for it."""
_HALVES = regex("[\ud800-\udfff]")


def compiled(lines: Iterable[str]) -> GitIgnoreSpec:
    """Return *lines* ready to match.  Raises ValueError for one that can't be read.

    They are tried one after the other: pathspec would put them all into one automaton of RE2 where that is
    installed, which fails for some thousand lines, with messages of its own on standard error.
    """
    from pathspec import GitIgnoreSpec  # only where there is something to match: 50 ms

    with warnings.catch_warnings():
        # `[[]` is a good glob, and what pathspec makes of it a good regular expression in all Pythons so far.
        warnings.simplefilter("ignore", FutureWarning)
        spec = GitIgnoreSpec.from_lines(lines, backend="simple")
    for pattern in spec.patterns:
        expression: Any = getattr(pattern, "regex", None)
        if expression is not None and len(_STARS.findall(str(getattr(pattern, "pattern", "")))) >= _MANY:
            setattr(pattern, "regex", _Linear(expression.pattern))  # noqa: B010 - it has to be searched, no more
    return spec


class _Linear:
    """A regular expression of RE2, whose time grows with the length of the text alone."""

    def __init__(self, pattern: str) -> None:
        import re2  # type: ignore[import-untyped]

        options = re2.Options()
        options.log_errors = False  # else it writes to standard error
        try:
            self._regex = re2.compile(pattern, options)
        except re2.error as error:
            raise ValueError(f"a glob that can't be read: {pattern}") from error

    def search(self, text: str) -> Any:
        """Return the match in *text*; it knows no bytes that are not UTF-8, and they match no less."""
        return self._regex.search(_HALVES.sub("\ufffd", text))


def seen_from(folder: str, path: str) -> str:
    """Return *path*, absolute, as globs that count from *folder* see it.

    A path outside of the folder is seen from the root, so that the globs of a site's file mean all paths.
    """
    inside = os.path.relpath(path, folder)
    outside = inside == os.pardir or inside.startswith(os.pardir + os.sep)
    return path.lstrip(os.sep) if outside else inside
