"""Whether one variable's name is another's with a slip of the pen in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sbatchlint.slurm.variable_names import letters_apart

_WORD = 4
"""Shorter words of a name (``IB``, ``MIN``, ``GDR``) are told apart by single letters."""
_LONG_WORD = 7
_LONG_NAME = 18


class KnownNames:
    """Names among which one is looked for that was meant, by what a slip leaves as it is."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_letters: dict[str, list[str]] = defaultdict(list)
        self._by_shape: dict[tuple[int, int], list[str]] = defaultdict(list)
        for name in names:
            self._by_letters[name.replace("_", "")].append(name)
            self._by_shape[len(name), name.count("_")].append(name)

    def near(self, written: str) -> list[str]:
        """Return those that *written* is one slip apart from."""
        words = written.count("_")
        alike = self._by_letters.get(written.replace("_", ""), [])
        shapes = ((length, words) for length in range(len(written) - 2, len(written) + 3))
        shaped = (name for shape in shapes for name in self._by_shape.get(shape, ()))
        return [name for name in dict.fromkeys((*alike, *shaped)) if one_slip_apart(written, name)]


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
    if len(differing) > 2:
        return False
    if any(
        min(len(one), len(other)) < _WORD - 1 or max(len(one), len(other)) < _WORD for one, other in differing
    ):
        return False
    if any(_digits(one) != _digits(other) for one, other in differing):
        return False
    if len(differing) == 1:
        longest = max(map(len, differing[0]))
        most = 2 if longest >= _LONG_WORD and len(known) >= _LONG_NAME else 1
        return letters_apart(*differing[0], most) <= most
    return len(known) >= _LONG_NAME and all(letters_apart(one, other, 1) == 1 for one, other in differing)


def _digits(word: str) -> str:
    return "".join(letter for letter in word if letter.isdigit())
