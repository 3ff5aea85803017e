"""Whether a value under a name is a secret."""

from __future__ import annotations

import re
from typing import NamedTuple

from sbatchlint.certainty import Certainty
from sbatchlint.regex import regex
from sbatchlint.secrets.names import Says, provider_of, says_strongly, what_says, words_of
from sbatchlint.secrets.patterns import named, without_prefix
from sbatchlint.secrets.placeholder import is_placeholder, is_reference
from sbatchlint.secrets.randomness import character_classes, entropy, entropy_bound, looks_like_words
from sbatchlint.secrets.secret import Kind

_UUID = regex(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TOKEN_TEXT = regex(r"[A-Za-z0-9+/=_.~:%!@#^*-]+")
_CODE = regex(r"[A-Za-z_][A-Za-z0-9_]*(?:[.\[\]:][A-Za-z0-9_.:\[\]]*)?")
"""An identifier, its attributes and indexes, a type: what stands after ``password:`` in a program."""
_SHORTEST_TOKEN = 16
_SHORTEST_PASSWORD = 8
_ENTROPY_RATIO = 0.65


class Verdict(NamedTuple):
    """What a value was found to be."""

    kind: Kind
    provider: str
    confidence: Certainty


def judge_named(name: str, value: str) -> Verdict | None:
    """Return what *value* is under *name*; None where it is no secret."""
    words = words_of(name)
    says = what_says(words)
    if says is Says.NOTHING:
        return None
    for shape in named():
        if shape.fits(words, value):
            return Verdict(Kind.NAMED, shape.provider, Certainty.KNOWN)
    if is_reference(value):
        return None
    if _UUID.fullmatch(value):
        found = says_strongly(words) and not is_placeholder(value.replace("-", ""))
    else:
        found = looks_like_token(without_prefix(value)) or (
            says is Says.PASSWORD and looks_like_password(value)
        )
    return Verdict(Kind.GENERIC, provider_of(words), Certainty.ASSUMED) if found else None


def looks_like_token(value: str) -> bool:
    """Tell whether *value* is long and random enough to be a token of no known format."""
    return (
        len(value) >= _SHORTEST_TOKEN
        and _TOKEN_TEXT.fullmatch(value) is not None
        and any(char.isdigit() for char in value) | (not value.islower() and not value.isupper())
        and entropy(value) >= entropy_bound(_alphabet_size(value), len(value), _ENTROPY_RATIO)
        and not looks_like_words(value)
        and not is_placeholder(value)
        and not is_reference(value)
    )


def looks_like_password(value: str) -> bool:
    """Tell whether *value* is a password that somebody chose, and not the word for one."""
    return (
        len(value) >= _SHORTEST_PASSWORD
        and character_classes(value) >= 3
        and not (_CODE.fullmatch(value) and ("." in value or "[" in value or "_" in value))
        and not is_placeholder(value)
        and not is_reference(value)
    )


def _alphabet_size(value: str) -> int:
    return 16 if re.fullmatch(r"[0-9a-fA-F]+", value) else 62
