"""Files that a script sources and that stand beside it."""

from __future__ import annotations

import os
from collections.abc import Callable

from sbatchlint.lint.roots import belongs
from sbatchlint.source import Source

_LARGEST = 256 * 1024
"""Bytes; settings files are small."""


def reader(folder: str | None, keep: dict[str, str] | None = None) -> Callable[[str], str | None]:
    """Return what reads a file below *folder* by its relative path; what reads nothing for None.

    The texts that are read are put into *keep*, by their paths.

    It gives None for a path that leads elsewhere, by itself or by a link (:func:`belongs` tells what does),
    for what is no regular file and for what cannot be read.
    """

    def read(path: str) -> str | None:
        if folder is None or not path or os.path.isabs(path) or ".." in path.split("/"):
            return None
        place = os.path.join(folder, path)
        try:
            if not os.path.isfile(place) or os.path.getsize(place) > _LARGEST or not belongs(place, folder):
                return None
            with open(place, "rb") as file:
                data = file.read(_LARGEST)
        except (OSError, ValueError):
            return None
        if b"\0" in data:
            return None
        text = Source.from_bytes(data, path).text
        if keep is not None:
            keep[path] = text
        return text

    return read
