"""Writing a fixed script back so that nothing is lost, whatever happens meanwhile."""

from __future__ import annotations

from sbatchlint.source import Source
from sbatchlint.writing.replace import replace_file


def write_source(before: Source, after: Source, path: str, target: str | None = None) -> None:
    """Replace the file at *path*, whose contents were *before*, by *after*, in one step or not at all.

    *target* is the path without symbolic links, as it was when the file was read.  Raises
    :class:`sbatchlint.writing.trouble.NotWritten`; see :func:`sbatchlint.writing.replace.replace_file`.
    """
    replace_file(path, after.to_bytes(), expected=before.to_bytes(), target=target)
