"""Find the secrets of a script in its text.

The text is searched as it stands, so unreadable shell and commented-out lines are no obstacle.  Every
search looks at a bounded piece around a keyword: the time grows with the length of the text only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from sbatchlint.regex import regex
from sbatchlint.secrets import contexts
from sbatchlint.secrets.assignments import Assignment, assignments
from sbatchlint.secrets.contexts import Hit
from sbatchlint.secrets.judge import Verdict, judge_named
from sbatchlint.secrets.names import Says, what_says, words_of
from sbatchlint.secrets.patterns import formats, occurrences
from sbatchlint.secrets.randomness import looks_like_words
from sbatchlint.secrets.secret import Kind, Secret
from sbatchlint.source import Source, Span

_PRECEDENCE = (Kind.PRIVATE_KEY, Kind.FORMAT, Kind.NAMED, Kind.URL, Kind.HEADER, Kind.GENERIC)
_NAME_BEFORE = regex(
    r"(?<![A-Za-z0-9_])(?P<name>[A-Za-z_][A-Za-z0-9_]{0,63})(?:\\?[\"'])?\]?"
    r"(?:[ \t]{0,4}(?:\+=|:=|=>|=|:)[ \t]{0,4}|:?[-=])(?:\\?[\"'])?"
    r"(?:\$\{[A-Za-z0-9_]{1,64}:?[-=](?:\\?[\"'])?)?\Z"
)

_NAME_PARTS = regex(r"[A-Za-z0-9]+")
_LONG_PART = 12
"""Parts of names this long are shown only if they look like words: a token may stand where a name should."""


@lru_cache(maxsize=8)
def find_secrets(source: Source) -> tuple[Secret, ...]:
    """Return the secrets of *source* in the order of the text; no two overlap.

    The answers for the last few texts are kept: rules ask for them, and what hides them in each output.
    """
    text = source.text
    given = list(assignments(text))
    hits = sorted(_hits(text, given), key=lambda hit: (_PRECEDENCE.index(hit.verdict.kind), hit.span))
    kept = _without_overlaps(hits)
    names = _Names(text, given, [hit.span for hit in kept])
    return tuple(
        Secret(span, verdict.kind, verdict.provider, names.of(span), verdict.confidence)
        for span, verdict in kept
    )


def _hits(text: str, given: list[Assignment]) -> Iterator[Hit]:
    for form in formats():
        for start, end in occurrences(form, text):
            confidence = form.judge(text[start:end])
            if confidence is not None:
                yield Hit(Span(start, end), Verdict(Kind.FORMAT, form.provider, confidence))
    for name, value in given:
        verdict = judge_named(text[name.start : name.end], text[value.start : value.end])
        if verdict is not None:
            yield Hit(value, verdict)
    yield from contexts.private_keys(text)
    yield from contexts.web_tokens(text)
    yield from contexts.in_urls(text)
    yield from contexts.in_headers(text)
    yield from contexts.in_commands(text)


def _without_overlaps(hits: list[Hit]) -> list[Hit]:
    """Keep, of hits that overlap, the one that comes first; return the rest in the order of the text."""
    taken: set[int] = set()
    kept: list[Hit] = []
    for hit in hits:
        place = range(hit.span.start, hit.span.end)
        if taken.isdisjoint(place):
            taken.update(place)
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.span)


def _is_plain(part: str) -> bool:
    return len(part) < _LONG_PART or looks_like_words(part)


class _Names:
    """The names of values, looked up by the place of the value."""

    def __init__(self, text: str, given: list[Assignment], secrets: list[Span]) -> None:
        self._text = text
        self._by_start = {value.start: name for name, value in given}
        self._secrets = secrets

    def of(self, span: Span) -> str:
        """Return the name of the value at *span*; empty for none and for one that may itself be secret."""
        name = self._by_start.get(span.start) or self._before(span.start)
        if name is None or self._touches_secret(name):
            return ""
        text = self._text[name.start : name.end]
        return text if all(map(_is_plain, _NAME_PARTS.findall(text))) else ""

    def _touches_secret(self, name: Span) -> bool:
        index = bisect_left(self._secrets, Span(name.end, name.end))
        return index > 0 and self._secrets[index - 1].end > name.start

    def _before(self, start: int) -> Span | None:
        """Return the place of a name of a secret or of a variable that stands just before *start*."""
        line = self._text.rfind("\n", 0, start) + 1
        window = max(line, start - 160)
        match = _NAME_BEFORE.search(self._text, window, start)
        if match is None:
            return None
        name = match["name"]
        if what_says(words_of(name)) is Says.NOTHING and not name.isupper():
            return None
        return Span(*match.span("name"))
