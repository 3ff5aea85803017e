"""Whole numbers in a script's text.

A script may hold any number of digits, and Python refuses to read or to write more than some thousands of
them.  Nothing that a script counts or a shell computes goes beyond 64 bits: what does is no number to us.
"""

from __future__ import annotations

from sbatchlint.regex import regex

_WHOLE = regex(r"0*([0-9]{1,18})")
"""Each number of 18 digits fits into 64 bits with a sign."""


def whole_number(text: str) -> int | None:
    """Read *text* that is nothing but ASCII digits, zeros in front allowed; None for all other text.

    None, too, for a number of more than 18 digits.
    """
    match = _WHOLE.fullmatch(text)
    return int(match[1]) if match else None


def signed_number(text: str) -> int | None:
    """Read *text* as ``whole_number`` does, with ``+`` or ``-`` in front if there is one."""
    number = whole_number(text[1:] if text[:1] in ("+", "-") else text)
    return -number if number is not None and text[:1] == "-" else number
