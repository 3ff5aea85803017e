"""Text with capitals folded: searching it for small letters is many times faster than ``re.IGNORECASE``."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

_TABLE = str.maketrans(ascii_uppercase + "\u0130\u0131\u017f\u212a", ascii_lowercase + "iisk")
"""ASCII's capitals, and the four letters beyond ASCII that ``re.IGNORECASE`` takes for one of ASCII."""


def folded(text: str) -> str:
    """Return *text*, of the same length, with small letters for capitals of ASCII."""
    return text.lower() if text.isascii() else text.translate(_TABLE)


__all__ = ["folded"]
