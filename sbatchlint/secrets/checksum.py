"""The checksum in GitHub's and npm's tokens.

The last six characters are the CRC-32 of the thirty before them (the prefix left out), written in
base 62 with digits first, then capitals, then small letters, and filled with zeros on the left
(GitHub, "Behind GitHub's new authentication token formats", 2021).
"""

from __future__ import annotations

import string
from zlib import crc32

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
CHECKSUM_LENGTH = 6


def base62_crc32(body: str) -> str:
    """Return the six checksum characters for *body*."""
    number = crc32(body.encode("ascii"))
    digits = []
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(_BASE62))
        digits.append(_BASE62[digit])
    return "".join(reversed(digits))


def has_valid_checksum(body: str) -> bool:
    """Tell whether the end of *body* (a token without its prefix) is the checksum of the rest."""
    return base62_crc32(body[:-CHECKSUM_LENGTH]) == body[-CHECKSUM_LENGTH:]
