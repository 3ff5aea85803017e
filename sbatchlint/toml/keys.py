"""How the keys of files are spelt."""

from __future__ import annotations


def kebab(name: str) -> str:
    """Return the key of the file for a field of its model: ``fail-on`` for ``fail_on``."""
    return name.replace("_", "-")
