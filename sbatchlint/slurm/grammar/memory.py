"""Amounts of memory and disk: ``--mem``, ``--mem-per-cpu``, ``--mem-per-gpu``, ``--tmp``.

Source: ``str_to_mbytes`` in ``src/common/proc_args.c``.
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused
from sbatchlint.slurm.grammar.c_text import beyond_64_bits, leading_integer, lower, wrap

_UNIT = regex(r"(?:([kmgt])b?)?")
_NO_VALUE = wrap(-2, 64, signed=False)
"""Slurm's NO_VAL64: an amount that happens to be it counts as wrong."""
_CHECKS_OVERFLOW = ((23, 2), (23, 2))
"""The only series that looks for an overflow after multiplying (removed again in 23.11)."""


@dataclass(frozen=True, slots=True)
class Memory:
    """An amount of memory, or of disk for ``--tmp``."""

    mebibytes: int
    """Rounded up; 0 for ``--mem`` is all memory of the node."""
    unit: str
    """The unit as it was written, ``K`` to ``T`` in upper case; empty where none was, which means MiB."""


def _memory(text: str, context: Context) -> Memory:
    number, unit = leading_integer(text)
    match = _UNIT.fullmatch(lower(unit))
    if match is None or number < 0 or unit == text or beyond_64_bits(text):
        raise _refusal(context)
    letter = match[1] or ""
    amount = wrap(_in_mebibytes(number, letter), 64)
    first, last = _CHECKS_OVERFLOW
    if amount < 0 and first <= context.release <= last:
        raise _refusal(context)
    unsigned = wrap(amount, 64, signed=False)
    if unsigned == _NO_VALUE:
        raise _refusal(context)
    return Memory(unsigned, letter.upper())


def _in_mebibytes(number: int, unit: str) -> int:
    if unit == "k":
        return (number + 1023) // 1024
    return number * {"": 1, "m": 1, "g": 1024, "t": 1024 * 1024}[unit]


def _refusal(context: Context) -> Refused:
    return Refused(
        f"Invalid --{context.option} specification",
        "an amount is a whole number with K, M, G or T behind it; without a unit it is MiB",
    )


GRAMMARS = (
    Grammar(
        "memory",
        "an amount in MiB, or with a unit behind it",
        (
            ("N", "MiB"),
            ("NK", "KiB, rounded up to MiB"),
            ("NM", "MiB"),
            ("NG", "GiB"),
            ("NT", "TiB"),
            ("NGB", "the same: a B may follow, either case"),
            ("0", "for --mem: all memory of the node"),
        ),
        ("512", "2G", "2g", "2GB", "2Gb", "1500K", "1T", "0", "+5G", "08M"),
        ("", "1.5G", "2GiB", "2Gi", "2P", "10E", "-1", "abc", "1B", "100%", "2 G", "2G ", "9" * 20),
        _memory,
        (
            "Without a unit the number is MiB: --mem=16 is 16 MiB.",
            "Units are binary: 1G is 1024M.",
            "A decimal point is refused.",
        ),
    ),
)
