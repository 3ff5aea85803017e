"""The provider table made ready for searching: compiled, with keyword, entropy bound and checksum."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sbatchlint.certainty import Certainty
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.secrets.checksum import has_valid_checksum
from sbatchlint.secrets.placeholder import is_placeholder
from sbatchlint.secrets.providers import FORMATS, NAMED
from sbatchlint.secrets.randomness import entropy, entropy_bound, looks_like_words
from sbatchlint.secrets.shape import Part, Run, edge_class, regex_of

_ENTROPY_RATIO = 0.6
"""Share of the greatest possible entropy below which a body is no product of a random generator."""
_WORDY = 4.5
"""How long words must be to outweigh a prefix and a length that fit."""


@dataclass(frozen=True, slots=True)
class Format:
    """A token that its own text gives away."""

    provider: str
    prefix: str
    """Looked for first, as plain text: the regular expression is tried only where it stands."""
    parts: tuple[Part, ...]
    """What follows the prefix."""
    checksum: bool
    regex: re.Pattern[str]

    def judge(self, token: str) -> Certainty | None:
        """Return how sure it is that *token*, which matches, is one; None for a placeholder."""
        body = token[len(self.prefix) :]
        if not is_random(body, self.parts):
            return None
        if self.checksum and not has_valid_checksum(body):
            return Certainty.ASSUMED
        return Certainty.KNOWN


@dataclass(frozen=True, slots=True)
class Named:
    """A value that is a provider's token when the name beside it says so."""

    provider: str
    words: frozenset[str]
    parts: tuple[Part, ...]
    regex: re.Pattern[str]

    def fits(self, words: tuple[str, ...], value: str) -> bool:
        """Tell whether the words of a name and its value are this provider's."""
        return (
            self.words.issubset(words)
            and self.regex.fullmatch(value) is not None
            and is_random(value, self.parts)
        )


def is_random(body: str, parts: tuple[Part, ...]) -> bool:
    """Tell whether *body*, of the shape *parts*, can have come from a random generator."""
    runs = [part for part in parts if isinstance(part, Run)]
    alphabet = max(len(run.alphabet) for run in runs)
    if entropy(body) < entropy_bound(alphabet, len(body), _ENTROPY_RATIO) or is_placeholder(body):
        return False
    may_be_a_name = len(parts) == 1 and not body.isalnum()
    return not (may_be_a_name and looks_like_words(body, _WORDY))


@cache
def formats() -> tuple[Format, ...]:
    """Return all token formats, one for each prefix."""
    return tuple(
        Format(provider, prefix, parts, checksum, _whole(prefix, parts))
        for provider, prefixes, parts, checksum in FORMATS
        for prefix in prefixes
    )


@cache
def named() -> tuple[Named, ...]:
    """Return all values that need a name beside them."""
    return tuple(
        Named(provider, words, parts, regex(regex_of(parts) + "={0,2}")) for provider, words, parts in NAMED
    )


def occurrences(form: Format, text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each place in *text* that has the shape of *form*."""
    start = text.find(form.prefix)
    while start >= 0:
        match = form.regex.match(text, start)
        if match:
            yield match.span()
        start = text.find(form.prefix, match.end() if match else start + len(form.prefix))


def without_prefix(value: str) -> str:
    """Return *value* without the longest prefix of a format that it begins with: a prefix is public."""
    lengths = [len(form.prefix) for form in formats() if value.startswith(form.prefix)]
    return value[max(lengths, default=0) :]


def _whole(prefix: str, parts: tuple[Part, ...]) -> re.Pattern[str]:
    edge = edge_class(parts)
    return regex(f"(?<!{edge}){re.escape(prefix)}{regex_of(parts)}(?!{edge})")
