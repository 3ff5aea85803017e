"""The script's text outside its comments, and its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.lint.ask.nodes import nodes_of
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import HereDocument
from sbatchlint.source import Span


def found_in_code(job: Job, pattern: re.Pattern[str], region: Span | None = None) -> Iterator[Span]:
    """Yield where *pattern* matches outside of comments; with a *region* inside that alone."""
    region = Span(0, len(job.source.text)) if region is None else region
    for match in pattern.finditer(job.source.text, region.start, region.end):
        place = Span(*match.span())
        if not job.script.is_comment(place):
            yield place


def words_in_code(job: Job, *words: str) -> list[Span]:
    """Return where one of *words* stands by itself, outside of comments."""
    return list(found_in_code(job, re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")))


def without_comments(job: Job, region: Span | None = None) -> str:
    """Return the text, or that of *region*, with its comments taken out."""
    region = Span(0, len(job.source.text)) if region is None else region
    parts, at = [], region.start
    for comment in job.script.comments:
        if comment.span in region:
            parts.append(job.source.text[at : comment.span.start])
            at = comment.span.end
    return "".join([*parts, job.source.text[at : region.end]])


def line_end(job: Job, span: Span) -> Span:
    """Return the empty span at the end of the line that *span* ends on.

    It is behind the here-documents that begin on that line.
    """
    text = job.source.text

    def next_end(start: int) -> int:
        end = text.find("\n", start)
        return len(text) if end < 0 else end

    place = next_end(max(span.start, span.end - 1))
    for document in sorted((node.span for node, _ in nodes_of(job, HereDocument)), key=lambda one: one.start):
        if document.start == place + 1:
            place = next_end(document.end)
    return Span(place, place)
