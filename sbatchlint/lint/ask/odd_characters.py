"""Characters in directives that look like ASCII and are not: what word processors and web pages leave."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.directive_words import Token
from sbatchlint.source import Span

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
QUOTES = {"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u201a": "'"}
_OPENING = "\u201c\u201e\u2018\u201a"
_LEADING = regex(f"[-{DASHES}]+(?P<name>[A-Za-z](?:[A-Za-z]|[-{DASHES}](?=[a-z]))*)")
_PROSE = frozenset(("comment", "job-name", "extra", "wckey", "mail-user"))
_GRAMMATICAL = regex(rf"(?<=[0-9A-Za-z])[{DASHES}](?=[0-9A-Za-z])")


class OddKind(Enum):
    """What a character looks like."""

    DASH = "a long dash"
    BLANK = "a no-break space"
    UNSEEN = "an invisible character"
    QUOTE = "a curly quote"


@dataclass(frozen=True, slots=True)
class OddText:
    """A run of such characters and what it should be."""

    kind: OddKind
    span: Span
    replacement: str | None
    """None where that is not clear."""


def odd_characters(job: Job) -> Iterator[OddText]:
    """Yield what looks like ASCII and is not, in the words of the directives that sbatch reads.

    A dash inside a name or a comment, and anything inside quotes, is what its author wanted.
    """
    for line in job.request.directives.lines:
        for token in line.tokens:
            if not token.value.isascii():
                yield from _runs(_in_token(job, token))


def _runs(odd: Iterator[OddText]) -> Iterator[OddText]:
    """Join neighbours of one kind."""
    last: OddText | None = None
    for text in odd:
        joins = last is not None and last.kind is text.kind and last.span.end == text.span.start
        if last is not None and joins and last.replacement is not None and text.replacement is not None:
            span = Span(last.span.start, text.span.end)
            last = OddText(text.kind, span, last.replacement + text.replacement)
            continue
        if last is not None:
            yield last
        last = text
    if last is not None:
        yield last


def _in_token(job: Job, token: Token) -> Iterator[OddText]:
    text = job.source.text
    leading = _LEADING.match(token.value)
    run = leading.start("name") if leading else 0
    if leading and not token.value[:run].isascii():
        yield OddText(OddKind.DASH, token.span_of(0, run), "-" if len(leading["name"]) == 1 else "--")
    name, equals, _ = token.value[run:].partition("=")
    prose = run + len(name) if leading and equals and name in _PROSE else len(token.value)
    named = run + len(name) if leading else 0
    for index in range(run, len(token.value)):
        char = token.value[index]
        free = index > prose and char not in UNSEEN + BLANKS and not _opens(token.value, prose, index)
        if free or _quoted(text, token, index):
            continue
        in_name = index < named and char in DASHES
        odd = (OddKind.DASH, "-") if in_name else _odd(token.value, index, char)
        if odd is not None:
            yield OddText(odd[0], token.span_of(index, index + 1), odd[1])


def _opens(value: str, equals: int, index: int) -> bool:
    """Tell whether a curly quote stands where only a quote around the whole value stands."""
    return value[equals + 1] in _OPENING and value[index] in QUOTES and index in (equals + 1, len(value) - 1)


def _odd(value: str, index: int, char: str) -> tuple[OddKind, str | None] | None:
    if char in BLANKS:
        return OddKind.BLANK, " "
    if char in UNSEEN:
        return OddKind.UNSEEN, ""
    if char in QUOTES:
        return OddKind.QUOTE, QUOTES[char]
    if char in DASHES and _GRAMMATICAL.match(value, index):
        digits = value[index - 1].isdigit() and value[index + 1].isdigit()
        return (OddKind.DASH, "-") if digits else None
    return None


def _quoted(text: str, token: Token, index: int) -> bool:
    """Tell whether the character stands between quotes."""
    before = text[token.span.start : token.starts[index]]
    return before.count('"') % 2 == 1 or before.count("'") % 2 == 1
