"""Characters in shell commands that look like ASCII and are not, where the shell or a program needs ASCII.

Comments, here-documents, quoted text and what a command prints are prose, in which they may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.ask.odd_characters import BLANKS, DASHES, QUOTES, OddKind
from sbatchlint.lint.ask.shell_modes import may_switch_on
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Literal, Simple, Word
from sbatchlint.source import Span

_PRINTING = frozenset(
    "echo printf logger wall mail mailx sendmail notify-send git cowsay figlet curl".split()
)
_ONE_DASH = frozenset("find java ffmpeg openssl xterm mpirun mpiexec orterun".split())
_UNSEEN = "\u200b\u2060\ufeff\u00ad"
_BLANKS = BLANKS.replace("\u3000", "")
_OPTION = regex(f"(?P<dashes>[-{DASHES}]+)(?P<name>[A-Za-z][A-Za-z0-9_-]*)")
_SHORT_NAME = 3
_PAIRS = {"\u201c": "\u201d\u201c", "\u201e": "\u201c\u201d", "\u2018": "\u2019\u2018"}
_BEFORE = regex(r"(?:^|[=(\s,])$")


@dataclass(frozen=True, slots=True)
class OddCode:
    """One such place and what belongs there."""

    kind: OddKind
    span: Span
    edits: tuple[tuple[Span, str], ...]
    """What to put where; empty where that is not clear."""
    safe: bool
    """False where other words come out than a shell would have made of the text."""
    sure: bool
    """True where the command can't do what was meant."""
    alone: bool = False
    """True where such characters are all that stands on the line: a command that bash does not find."""


def odd_code(job: Job) -> Iterator[OddCode]:
    """Yield the characters, in the order of the script."""
    if job.source.text.isascii():
        return
    for node, _ in nodes_of(job, Simple):
        name = node.name
        if name in _PRINTING:
            continue
        if _is_nothing(job, node):
            yield _nothing(job, node)
            continue
        end = 0
        for index, word in enumerate(node.words):
            if index and word.span.start >= end:
                yield from _dash(word, name)
            for found in _in_word(job, word):
                if found.span.start >= end:
                    end = found.span.end
                    yield found
        for assignment in node.assignments:
            if assignment.value is not None:
                yield from _in_word(job, assignment.value, splits=False)
    yield from _dashes_in_strings(job)


def _is_nothing(job: Job, node: Simple) -> bool:
    """Tell whether the command is a line of blanks and characters without ink."""
    return not job.source.slice(job.source.line_around(node.span.start)).strip(f" \t{_BLANKS}{_UNSEEN}")


def _nothing(job: Job, node: Simple) -> OddCode:
    unseen = job.source.text[node.span.start] in _UNSEEN
    kind = OddKind.UNSEEN if unseen else OddKind.BLANK
    stops = may_switch_on(job, "errexit") or job.script.body[-1].span.end <= node.span.end
    return OddCode(kind, node.span, ((node.span, ""),), True, stops, alone=True)


def _dashes_in_strings(job: Job) -> Iterator[OddCode]:
    """The options in text that a shell reads again, or that becomes words: ``bash -c '...'``, ``$ARGS``."""
    own = {word.span.start for node, _ in nodes_of(job, Simple) for word in node.words}
    text = job.source.text
    for _, program in job.plan.programs():
        if program.name in _PRINTING:
            continue
        for arg in (*program.words, *program.arguments):
            place = arg.value.span
            if place is None or place.start in own or not _stands_alone(text, place):
                continue
            own.add(place.start)
            match = _OPTION.match(text, place.start, place.end)
            if match is not None and not match["dashes"].isascii():
                yield _long_dash(place.start, match["dashes"], match["name"], program.name)


def _stands_alone(text: str, place: Span) -> bool:
    """Whether the word has a blank before or behind it, and not a quote on both sides: then it is prose."""
    return text[max(0, place.start - 1) : place.start].isspace() or text[place.end : place.end + 1].isspace()


def _dash(word: Word, command: str | None) -> Iterator[OddCode]:
    first = word.parts[0] if word.parts else None
    match = _OPTION.match(first.text) if isinstance(first, Literal) and not first.escaped else None
    if match is None or match["dashes"].isascii() or not isinstance(first, Literal):
        return
    yield _long_dash(first.span.start, match["dashes"], match["name"], command)


def _long_dash(start: int, dashes: str, name: str, command: str | None) -> OddCode:
    span = Span(start, start + len(dashes))
    letter = len(name) == 1 or name[1:].isdigit()
    clear = letter or (len(name) > _SHORT_NAME and command not in _ONE_DASH)
    edits = ((span, "-" if letter else "--"),) if clear else ()
    return OddCode(OddKind.DASH, span, edits, True, True)


def _in_word(job: Job, word: Word, *, splits: bool = True) -> Iterator[OddCode]:
    text = job.source.text
    for part in word.parts:
        if not isinstance(part, Literal) or part.escaped or part.text.isascii():
            continue
        for match in re.finditer(f"[{_BLANKS}]+|[{_UNSEEN}]+|[{''.join(_PAIRS)}]", part.text):
            start = part.span.start + match.start()
            span = Span(start, start + len(match.group()))
            if match.group() in _PAIRS:
                yield from _quotes(text, word, span)
            elif match.group()[0] in _BLANKS:
                edits = ((span, " " * len(span)),) if splits else ()
                yield OddCode(OddKind.BLANK, span, edits, True, True)
            else:
                yield OddCode(OddKind.UNSEEN, span, ((span, ""),), True, True)


def _quotes(text: str, word: Word, opening: Span) -> Iterator[OddCode]:
    """A pair that opens where a quote opens: at the start of a word or behind its ``=``."""
    char = text[opening.start]
    if not _BEFORE.search(text[max(0, opening.start - 1) : opening.start]):
        return
    closing = re.compile(f"[^\n]*?([{_PAIRS[char]}])(?=[\\s;|&)]|$)", re.MULTILINE).match(text, opening.end)
    if closing is None:
        return
    end = Span(closing.start(1), closing.end(1))
    inside = text[opening.end : end.start]
    quote = QUOTES[char]
    edits = ((opening, quote), (end, quote)) if quote not in inside else ()
    one_word = end.end <= word.span.end
    yield OddCode(OddKind.QUOTE, Span(opening.start, end.end), edits, one_word, not one_word)
