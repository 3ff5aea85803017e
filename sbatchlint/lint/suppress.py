"""Reading suppressions: the comments by which a script's author answers a finding.

``# sbatchlint: ignore[SB301] reason`` and its kin ``ignore-file[...]``, ``off[...]`` and ``on[...]``.
Only a comment that begins so is one; a comment that talks about sbatchlint is left alone.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sbatchlint.fix.comments import comment_spans
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Source, Span
from sbatchlint.spelling import nearest

if TYPE_CHECKING:
    from sbatchlint.shell.syntax import Script


class Verb(Enum):
    """What a suppression does."""

    IGNORE = "ignore"
    """Covers one line or command."""
    IGNORE_FILE = "ignore-file"
    """Covers the whole file."""
    OFF = "off"
    """Covers from here to the matching ``on``, or to the end."""
    ON = "on"
    """Ends what ``off`` began."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One code or name between the brackets."""

    span: Span
    key: str


@dataclass(frozen=True, slots=True)
class Suppression:
    """One well-formed suppression comment, from its ``#`` to the end of the line."""

    span: Span
    verb: Verb
    entries: tuple[Entry, ...]
    reason: str
    own_line: bool
    """True where nothing but blanks stands before it."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A comment that is meant as a suppression and cannot be read as one."""

    span: Span
    problem: str
    help: str


_START = regex(r"#+\s*sbatchlint\s*:\s*(?P<word>[A-Za-z][\w-]*)(?P<rest>.*)")
_BRACKETS = regex(r"\s?\[(?P<keys>[^\[\]]*)\](?P<reason>.*)")
_KEY = regex(r"[^,\s]+(?:\s+[^,\s]+)*")
_HELP = (
    "write `# sbatchlint: {}[CODE]`, with one or more codes, names, prefixes or families separated by commas"
)


def read_comment(text: str, offset: int, *, own_line: bool = False) -> Suppression | Malformed | None:
    """Read one comment, *text* from its ``#`` on, that stands at *offset*; None if it is none of ours."""
    found = _START.match(text)
    if found is None:
        return None
    span = Span(offset, offset + len(text.rstrip()))
    word, rest = found["word"], found["rest"]
    verb = next((verb for verb in Verb if verb.value == word), None)
    if verb is None:
        if not rest.lstrip().startswith(("[", "=")):
            return None
        meant = nearest(word, [verb.value for verb in Verb]) or Verb.IGNORE.value
        return Malformed(span, f"unknown suppression {word!r}", _HELP.format(meant))
    brackets = _BRACKETS.match(rest)
    if brackets is None:
        if verb in (Verb.ON, Verb.OFF) and rest.strip(" .") and "[" not in rest:
            return None  # "on" and "off" begin ordinary sentences too
        return Malformed(span, f"suppression {word!r} names no rule", _HELP.format(word))
    start = offset + found.start("rest") + brackets.start("keys")
    entries = tuple(
        Entry(Span(start + key.start(), start + key.end()), key.group())
        for key in _KEY.finditer(brackets["keys"])
    )
    if not entries:
        return Malformed(span, f"suppression {word!r} names no rule", _HELP.format(word))
    return Suppression(span, verb, entries, brackets["reason"].strip(), own_line)


def read_suppressions(source: Source, script: Script) -> tuple[list[Suppression], list[Malformed]]:
    """Read every suppression among *script*'s real comments, in the order of the text."""
    good: list[Suppression] = []
    bad: list[Malformed] = []
    if "sbatchlint" not in source.text:
        return good, bad
    for span in comment_spans(source, script):
        start, text = span.start, source.slice(span)
        line = source.position(start).line
        before = source.text[source.line_span(line).start : start]
        read = read_comment(text, start, own_line=not before.strip())
        if isinstance(read, Malformed):
            bad.append(read)
        elif read is not None:
            good.append(read)
    return good, bad
