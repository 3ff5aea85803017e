"""What a fix would change, as a patch."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from sbatchlint.source import Source

_NO_NEWLINE = "\\ No newline at end of file"


def unified_diff(before: Source, after: Source, context: int = 3) -> Iterator[str]:
    r"""Yield the lines of a unified diff, without their line ends; nothing where the two are equal.

    Lines are those of the files' bytes: a carriage return before the line end is part of the line, and
    bytes that are not UTF-8 are lone surrogates (write them with ``surrogateescape``).  ``patch -p0``
    takes the lines joined and ended by ``\n``.
    """
    lines = difflib.unified_diff(_lines(before), _lines(after), before.path, after.path, n=context)
    for line in lines:
        if line.endswith("\n"):
            yield line[:-1]
        else:
            yield line
            yield _NO_NEWLINE


def _lines(source: Source) -> list[str]:
    text = source.to_bytes().decode("utf-8", "surrogateescape")
    *whole, last = text.split("\n")
    lines = [line + "\n" for line in whole]
    return [*lines, last] if last else lines
