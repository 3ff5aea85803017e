"""Commands that end too early: a backslash that does not continue the line, or one that is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Literal, Simple, Word
from sbatchlint.source import Span

_BLANK_TAIL = regex(r"\\[ \t]+(?P<comment>#[^\n]*)?$", re.MULTILINE)
_OPTION = regex(r"--$|--?[A-Za-z][\w.-]*(?:=|$)|\+{1,2}[A-Za-z][\w.]*=|[a-z_]+(?:\.\w+)+=")
"""The first word of a line that can only be an argument: ``--lr``, ``++a.devices=8``, ``model.tp=2``."""
_BLANK_WORD = regex(r"[ \t](?:#|$)")
"""What such a backslash makes of itself: a word of a blank, and of the comment's sign if one follows."""
_NO_END = regex(r"(?:[;&|({\\]|\bthen|\bdo|\belse)$")


@dataclass(frozen=True, slots=True)
class BrokenBackslash:
    """A backslash with a blank behind it at the end of a line."""

    span: Span
    """The backslash and all that follows it on its line."""
    blanks: Span
    comment: Span | None
    continues: bool
    """True where the next line is not empty: the rest of the command was meant to stand there."""


@dataclass(frozen=True, slots=True)
class StrayArguments:
    """A line of arguments that no command is in front of."""

    span: Span
    """Its first word."""
    text: str
    before: Span
    """The line before it, without blanks around it; empty for a blank line."""
    comment: bool
    """True where that line is a comment, which has ended the command."""
    end: Span | None
    """The empty place at the end of the line before, where a backslash is missing; None where not sure."""


def broken_backslashes(job: Job) -> Iterator[BrokenBackslash]:
    """Yield each backslash that quotes a blank at the end of its line, in the script or in code of a step."""
    starts = {span.start for span in _escaped_blanks(job)}
    for match in _BLANK_TAIL.finditer(job.source.text):
        if match.start() not in starts:
            continue
        comment = match.start("comment")
        end = match.end() if comment < 0 else comment
        line = job.source.position(match.start()).line
        following = job.source.line(line + 1) if line < job.source.text.count("\n") + 1 else ""
        yield BrokenBackslash(
            Span(match.start(), match.end()),
            Span(match.start() + 1, end),
            None if comment < 0 else Span(comment, match.end()),
            bool(following.strip()),
        )


def _escaped_blanks(job: Job) -> Iterator[Span]:
    for simple, _ in nodes_of(job, Simple):
        for word in simple.words:
            last, text = (word.parts[-1] if word.parts else None), job.source.slice(word.span)
            if isinstance(last, Literal) and text[-2:] in ("\\ ", "\\\t"):
                yield Span(word.span.end - 2, word.span.end)
            elif text.startswith(("\\ #", "\\\t#")):  # no comment: the words behind it are arguments too
                yield Span(word.span.start, word.span.start + 2)
    for step, program in job.plan.programs():
        words = [*program.words, *program.arguments, *(step.words if step is not None else ())]
        for arg in words:
            place = arg.value.span
            if place is None or job.source.text[place.start : place.start + 2] not in ("\\ ", "\\\t"):
                continue
            if _BLANK_WORD.match(arg.value.text or ""):
                yield Span(place.start, place.start + 2)


def stray_arguments(job: Job) -> Iterator[StrayArguments]:
    """Yield each line of the script whose first word, taken for a command, is an option."""
    for simple, _ in nodes_of(job, Simple):
        if simple.words and not simple.assignments and _OPTION.match(_head(simple.words[0])):
            found = _stray(job, simple.words[0].span, _head(simple.words[0]))
            if found is not None:
                yield found


def stray_arguments_in_strings(job: Job) -> Iterator[StrayArguments]:
    """Yield each line of a command in a string whose first word, taken for a command, is an option."""
    own = {simple.words[0].span.start for simple, _ in nodes_of(job, Simple) if simple.words}
    seen: set[int] = set()
    for _, program in job.plan.programs():
        first = program.words[0] if program.words else None
        text = first.value.show() if first is not None else ""
        place = first.value.span if first is not None else None
        if place is None or place.start in own or place.start in seen or not _OPTION.match(text):
            continue
        seen.add(place.start)
        found = _stray(job, place, text)
        if found is not None:
            yield found


def _head(word: Word) -> str:
    """What the word begins with, as far as it is written out."""
    if word.literal is not None:
        return word.literal
    return word.parts[0].text if isinstance(word.parts[0], Literal) else ""


def _stray(job: Job, span: Span, text: str) -> StrayArguments | None:
    source = job.source.text
    line_start = source.rfind("\n", 0, span.start) + 1
    if source[line_start : span.start].strip() or line_start == 0:
        return None
    before_start = source.rfind("\n", 0, line_start - 1) + 1
    line = source[before_start : line_start - 1]
    stripped = line.strip()
    if _BLANK_TAIL.search(line):
        return None  # a broken backslash, which is told of by itself
    start = before_start + len(line) - len(line.lstrip())
    before = Span(start, start + len(stripped))
    comment = stripped.startswith("#") or any(
        one.span.start >= before_start and one.span.end <= line_start for one in job.script.comments
    )
    end = None
    if stripped and not comment and not _NO_END.search(stripped):
        end = Span(before.end, before.end)
    return StrayArguments(span, text.partition("=")[0], before, comment, end)
