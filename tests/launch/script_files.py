"""The hand-written scripts: several in a file, each under a line ``#### what it shows``."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "scripts"
_MARK = "#### "


def hand_written() -> dict[str, str]:
    """Every script by its file's name and title."""
    found: dict[str, str] = {}
    for path in sorted(_FOLDER.glob("*.sh")):
        for piece in path.read_text().split("\n" + _MARK)[1:]:
            title, _, text = piece.partition("\n")
            name = f"{path.stem}: {title}"
            assert name not in found, f"two scripts are called {name!r}"
            found[name] = text
    return found
