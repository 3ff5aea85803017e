"""Being stopped by the modes of files, which root is not."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

_VERSION = 0x20080522
"""Of the two calls: three words for capabilities 0 to 31, and three for those above (capget(2))."""
_PASSES_MODES = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (capabilities(7))."""


@contextmanager
def as_anybody() -> Iterator[None]:
    """Let the inside read and write only what the modes allow the owner, whoever runs this.

    Python's own files stay readable, unlike for another user; a program that root starts has all rights.

    Raises:
        OSError: The kernel does not do it.
    """
    if os.geteuid() != 0:
        yield
        return
    held = _called("capget", (ctypes.c_uint32 * 6)())
    _called("capset", (ctypes.c_uint32 * 6)(held[0] & ~_PASSES_MODES, *held[1:]))
    try:
        yield
    finally:
        _called("capset", held)


def _called(name: str, data: ctypes.Array[ctypes.c_uint32]) -> ctypes.Array[ctypes.c_uint32]:
    """Call capget or capset for this thread, whose words are *data*."""
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    if getattr(ctypes.CDLL(None, use_errno=True), name)(header, data):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return data
