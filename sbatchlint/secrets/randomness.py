"""How random a piece of text looks: its entropy, and how little it looks like words."""

from __future__ import annotations

from collections import Counter
from math import log2

from sbatchlint.regex import regex

_PIECE = regex(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]")
_HEXADECIMAL = regex(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
_IDENTIFIER = regex(r"(?:[A-Z]?[a-z]+|[A-Z]+)(?:[._/-](?:[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,4}))+")
_LETTER_OR_DIGIT = regex(r"[A-Za-z0-9]")
_WORDY = 3.6
"""Mean length of same-class pieces above which text is read as words: random base 62 has about 1.7,
random hexadecimal 2.1, random small letters with digits 2.4; names of models and paths have 4 and more."""


def entropy(text: str) -> float:
    """Return the Shannon entropy of *text* in bits a character; 0 for empty text."""
    size = len(text)
    return -sum(n / size * log2(n / size) for n in Counter(text).values()) if size else 0.0


def entropy_bound(alphabet_size: int, length: int, ratio: float) -> float:
    """Return *ratio* of the most entropy that *length* characters of an alphabet can have."""
    return ratio * log2(min(alphabet_size, length))


def looks_like_words(text: str, mean: float = _WORDY) -> bool:
    """Tell whether *text* is made of words and numbers, as names are: pieces of *mean* length or more."""
    if _HEXADECIMAL.fullmatch(text):
        return text.isalpha() or text.isdigit()
    if _IDENTIFIER.fullmatch(text):
        return True
    pieces = [piece for piece in _PIECE.findall(text) if _LETTER_OR_DIGIT.match(piece)]
    return not pieces or sum(map(len, pieces)) / len(pieces) >= mean


def character_classes(text: str) -> int:
    """Count which of small letters, capitals, digits and other characters occur in *text* (0 to 4)."""
    tests = (str.islower, str.isupper, str.isdigit, lambda char: not char.isalnum())
    return sum(any(test(char) for char in text) for test in tests)
