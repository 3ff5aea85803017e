"""What Slurm's C does with text: number readings and comparisons that differ from Python's.

Only ASCII digits, blanks and letters count, whatever the locale; numbers end at the limits of 64 bits.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

from sbatchlint.regex import regex

LONG_MAX = 2**63 - 1
LONG_MIN = -(2**63)
INT_MAX = 2**31 - 1

BLANKS = " \t\n\v\f\r"
"""What C's ``isspace`` takes for white space."""

_NUMBER = regex(r"[ \t\n\v\f\r]*([+-]?)0*([0-9]*)")
_LONGEST_NUMBER = 19
"""Digits of the greatest 64-bit number: more of them need not be counted to know that they are too many."""
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def lower(text: str) -> str:
    """Lower ASCII letters only, as ``strcasecmp`` does."""
    return text.translate(_LOWER)


def is_blank(text: str) -> bool:
    """Tell whether nothing but white space (or nothing at all) is left."""
    return not text.strip(BLANKS)


def leading_integer(text: str) -> tuple[int, str]:
    """Read a decimal number from the front, as ``strtol`` does, and give it with the text after it.

    White space and a sign may stand in front.  Without a digit gives 0 and the whole text.  A number beyond
    64 bits becomes ``LONG_MAX`` or ``LONG_MIN``.
    """
    match = _NUMBER.match(text)
    if match is None or not match[0] or match[0][-1] not in "0123456789":
        return 0, text
    digits = match[2] or "0"
    size = int(digits) if len(digits) <= _LONGEST_NUMBER else LONG_MAX + 1
    number = -size if match[1] == "-" else size
    return max(LONG_MIN, min(number, LONG_MAX)), text[match.end() :]


def beyond_64_bits(text: str) -> bool:
    """Tell whether ``strtol`` meets a number that it can't hold, and cuts it."""
    match = _NUMBER.match(text)
    digits = match[2] if match else ""
    return len(digits) > _LONGEST_NUMBER or int(digits or "0") > LONG_MAX


def wrap(number: int, bits: int, *, signed: bool = True) -> int:
    """Give what is left of a number that is stored in too small a C integer."""
    number %= 1 << bits
    return number - (1 << bits) if signed and number >> (bits - 1) else number


def divide(number: int, by: int) -> int:
    """Divide as C does: towards zero."""
    return -(-number // by) if number < 0 else number // by
