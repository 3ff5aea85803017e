"""Digests by which contents are recognised."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL as well, which takes as long as all else here
except ImportError:  # another implementation of Python
    from hashlib import blake2b

TYPE_CHECKING = False  # that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from collections.abc import Iterable

_SIZE = 16
"""Bytes; two contents that anybody has share a digest with a chance of one in 2**64."""
LENGTH = 2 * _SIZE
"""Characters of a digest."""


def digest(data: bytes) -> str:
    """Return the digest of *data*, 32 hexadecimal digits."""
    return blake2b(data, digest_size=_SIZE).hexdigest()


def digest_of(parts: Iterable[str]) -> str:
    """Return one digest of several texts, which may hold anything a path may."""
    texts = [part.encode("utf-8", "surrogateescape") for part in parts]
    lengths = ",".join(str(len(text)) for text in texts)
    return digest(b"\0".join([lengths.encode(), *texts]))


class Digesting:
    """A digest of bytes that come in pieces."""

    __slots__ = ("_state",)

    def __init__(self) -> None:
        self._state = blake2b(digest_size=_SIZE)

    def add(self, data: bytes | memoryview) -> None:
        """Take the next piece."""
        self._state.update(data)

    def text(self) -> str:
        """Return the digest of what has come so far."""
        return self._state.hexdigest()
