"""Cutting endless lines, so that memory is bounded whatever a log holds."""

from __future__ import annotations

LONGEST = 16 * 1024
"""How many bytes of a line count; what follows in it is passed over."""


class Shortener:
    """Passes text on piece by piece, without what stands beyond :data:`LONGEST` bytes in a line.

    A line ends at a line feed or a carriage return.  What comes out does not depend on where the pieces end.
    """

    def __init__(self) -> None:
        self._run = 0
        """How long the unfinished line is so far."""

    def shorten(self, piece: bytes) -> bytes:
        """Return what is left of *piece*."""
        flat = piece.replace(b"\r", b"\n") if b"\r" in piece else piece
        kept: list[bytes] = []
        start = at = 0
        run = self._run
        while True:
            end = flat.rfind(b"\n", at, at + LONGEST + 1 - min(run, LONGEST))
            if end >= 0:
                at, run = end + 1, 0
                continue
            room = LONGEST - min(run, LONGEST)
            if len(piece) - at <= room:
                kept.append(piece[start:])
                self._run = run + len(piece) - at
                break
            kept.append(piece[start : at + room])
            next_end = flat.find(b"\n", at + room)
            if next_end < 0:
                self._run = LONGEST
                break
            start = at = next_end
            run = 0
        return b"".join(kept) if len(kept) > 1 else kept[0]
