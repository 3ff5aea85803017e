"""Which of several words somebody meant who wrote another."""

from __future__ import annotations

from collections.abc import Iterable

_LOOKS_LIKE = str.maketrans("oil", "011")


def nearest(word: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """Return the member of *known* that *word* is most likely meant to be, whatever its case, if any is near.

    *least* is how alike the two have to be, from 0 to 1.
    """
    from difflib import get_close_matches  # wanted only where something is wrong

    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.lower(), candidate)
    close = get_close_matches(word.lower(), list(folded), n=len(folded) or 1, cutoff=least)
    return folded[max(close, key=lambda one: _likeness(word.lower(), one))] if close else None


def _likeness(word: str, candidate: str) -> tuple[float, int]:
    """Return how alike the two are; of equals, how many letters stand, or seem to, in the same places."""
    from difflib import SequenceMatcher

    ratio = SequenceMatcher(None, candidate, word).ratio()
    pairs = zip(word.translate(_LOOKS_LIKE), candidate.translate(_LOOKS_LIKE), strict=False)
    return ratio, sum(one == other for one, other in pairs)
