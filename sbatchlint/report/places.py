"""Where the files of a run stand: their paths as other programs want them."""

from __future__ import annotations

import os

from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that paths are told from, and where its files can be read on the web."""

    folder: str = ""
    """An absolute path; empty for the current folder."""
    pages: str = ""
    """What comes before a file's path in the address of its page, ``/`` included; empty if there is none."""

    @property
    def root(self) -> str:
        """The absolute path of the folder."""
        return self.folder or os.getcwd()

    def path(self, path: str) -> str:
        """Return *path* as seen from the folder, with ``/`` between its parts; absolute if it is outside.

        Standard input (``-``) stays as it is.
        """
        if path == "-":
            return path
        whole = os.path.abspath(path)
        inside = os.path.relpath(whole, self.root)
        outside = inside == os.pardir or inside.startswith(os.pardir + os.sep)
        return (whole if outside else inside).replace(os.sep, "/")

    def page(self, path: str, first: int, last: int) -> str:
        """Return the address of the lines *first* to *last* of the file at *path*; empty if there is none."""
        seen = self.path(path)
        if not self.pages or path == "-" or os.path.isabs(seen):
            return ""
        lines = f"L{first}" if first == last else f"L{first}-L{last}"
        return f"{self.pages}{percent_encoded(seen)}#{lines}"


def percent_encoded(path: str) -> str:
    """Return *path* as part of an address: each byte but letters, digits and ``/_.-~`` becomes ``%XX``."""
    from urllib.parse import quote

    return quote(os.fsencode(path))
