"""The comments that people wrote for people, which no fix may lose without being asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from sbatchlint.slurm.directives import DirectiveLine, read_directives
from sbatchlint.source import Source, Span

if TYPE_CHECKING:
    from sbatchlint.shell.syntax import Script


def comment_spans(source: Source, script: Script) -> Iterator[Span]:
    """Yield the span of each real comment, in the order of the text.

    A directive line is a comment for the shell but not for us; what stands on it after an unquoted
    ``#`` is, for sbatch reads no further.
    """
    directives = read_directives(source)
    trailing = {line.span.start: _comment(source, line) for line in (*directives.lines, *directives.late)}
    for comment in script.comments:
        span = comment.span
        if span.start not in trailing:
            yield span
        elif (rest := trailing[span.start]) is not None:
            yield rest


def _comment(source: Source, line: DirectiveLine) -> Span | None:
    """Return the comment on a directive line; sbatch does not look for one after ``hetjob``."""
    if line.comment is None and line.lost is not None:
        lost = source.slice(line.lost)
        text = lost.lstrip()
        if text.startswith("#"):
            return Span(line.lost.end - len(text), line.lost.end)
    return line.comment


def comment_texts(source: Source, script: Script, without: Collection[Span] = ()) -> Counter[str]:
    """Return how often each comment's text stands in *source*; comments that touch *without* don't count."""
    return Counter(
        source.slice(span).rstrip()
        for span in comment_spans(source, script)
        if not any(other.start <= span.end and span.start <= other.end for other in without)
    )
