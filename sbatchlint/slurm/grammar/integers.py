"""The whole numbers of options, as ``parse_int`` of ``src/common/proc_args.c`` reads them."""

from __future__ import annotations

from sbatchlint.slurm.grammar.base import Context, Refused
from sbatchlint.slurm.grammar.c_text import INT_MAX, LONG_MAX, leading_integer, wrap

CHECKS_INT = (23, 2)
"""From here on a number must fit into a C int; until then only into 64 bits, and was cut to 32."""
TOO_LARGE = (23, 11)
"""From here on Slurm says "too large" instead of "to big"."""

_SAID_OF = {"immediate": "immediate", "resv-ports": "--resv-port"}
"""Options that Slurm's message calls by another name than ``--option``."""


def plain_integer(text: str, context: Context, *, positive: bool) -> int:
    """Read a decimal number; white space and ``+`` may stand before it, nothing after it.

    Empty text is zero.  Refuses numbers below zero and, if *positive*, zero.
    """
    number, rest = leading_integer(text)
    said_of = _SAID_OF.get(context.option, f"--{context.option}")
    if rest or number < int(positive):
        wanted = "a whole number above zero" if positive else "a whole number"
        raise Refused(f'Invalid numeric value "{text}" for {said_of}.', f"it takes {wanted}, without a unit")
    if number >= (INT_MAX if context.release >= CHECKS_INT else LONG_MAX):
        raise Refused(f"Numeric argument ({number}) {too_large(context)} for {said_of}.")
    return wrap(number, 32)


def too_large(context: Context) -> str:
    """Give Slurm's words for a number that is too large."""
    return "too large" if context.release >= TOO_LARGE else "to big"


def short_integer(text: str) -> int | None:
    """Read a 16-bit number as ``parse_uint16`` does: 0 to 65533, empty text being 0; None for any other."""
    number, rest = leading_integer(text)
    return number if not rest and 0 <= number < 2**16 - 2 else None
