"""Whether one variable's name is another's with a slip of the pen in it."""

from __future__ import annotations

from sbatchlint.slurm.variable_names import letters_apart

_WORD = 4
"""Shorter words of a name (``IB``, ``MIN``, ``GDR``) are told apart by single letters."""
_LONG_WORD = 7
_LONG_NAME = 18


def one_slip_apart(written: str, known: str) -> bool:
    """Tell whether *written* is *known* with an unmistakable slip.

    That is one letter too many, too few, wrong or swapped in a longer word; two of them in a long word or in
    two words of a long name; an underscore too many or too few; the words in another order.  Digits and
    short words are left alone: ``V2`` and ``V3``, ``IB`` and ``IP`` are different things.
    """
    if written == known or abs(len(written) - len(known)) > 2:
        return False
    if written.replace("_", "") == known.replace("_", ""):
        return True
    words, others = written.split("_"), known.split("_")
    if len(words) != len(others):
        return False
    if sorted(words) == sorted(others):
        return len(words) > 2 and words[0] == others[0]
    differing = [(one, other) for one, other in zip(words, others, strict=True) if one != other]
    if any(
        min(len(one), len(other)) < _WORD - 1 or max(len(one), len(other)) < _WORD for one, other in differing
    ):
        return False
    if any(_digits(one) != _digits(other) for one, other in differing):
        return False
    slips = [letters_apart(one, other, 2) for one, other in differing]
    if len(slips) == 1:
        longest = max(map(len, differing[0]))
        return slips[0] <= (2 if longest >= _LONG_WORD and len(known) >= _LONG_NAME else 1)
    return slips == [1, 1] and len(known) >= _LONG_NAME


def _digits(word: str) -> str:
    return "".join(letter for letter in word if letter.isdigit())
