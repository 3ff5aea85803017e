"""What a finding is recognised by, in another version of its file."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from sbatchlint.adopt.places import Places
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.source import Source, Span

if TYPE_CHECKING:
    from sbatchlint.lint.finding import Finding
    from sbatchlint.lint.job import Job

_DIGITS = 12
"""Hexadecimal digits of a fingerprint: two of one file's few hundred texts never share one."""
_LINES = regex(r"\blines? \d+(?:(?:, | and | to |-)\d+)*")
_RELEASE = regex(r"\b\d\d\.\d\d\b")
_NUMBER = regex(r"\d+(?:[.:]\d+)*")
_HIDDEN = regex(r"\*{3,}")
_CONTINUATION = regex(r"\\\n")
_LINE = regex(r"(?:[^\\\n]|\\.)*", re.DOTALL)
_NAME = regex(r"[A-Za-z_][\w.-]*")
"""A command's name alone, such as ``srun``: rules point at it only where it is on another line."""


class Cover(Protocol):
    """A file's text with its secrets hidden."""

    @property
    def source(self) -> Source:
        """The text with ``*`` for each character of a secret, all positions as they were."""

    def text(self, text: str) -> str:
        """Return *text*, which may quote the file, without the secrets."""


Hide = Callable[[Source], Cover]


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """What is kept of a finding.  No text of the script but names, and no secret, not even as a hash."""

    code: str
    place: str
    """Where it stands in the launch plan or in the request."""
    finding: str
    """Fingerprint of what is said: the text at its place, at the places that explain it, and its numbers."""
    command: str
    """Fingerprint of the command or directive around it: tells apart what is alike in all else."""

    @property
    def alike(self) -> tuple[str, str, str]:
        """What has to agree for two to be the same."""
        return self.code, self.place, self.finding


def marks(job: Job, findings: Sequence[Finding], hide: Hide) -> list[Mark]:
    """Return the mark of each of *findings* of *job*."""
    if not findings:
        return []
    return list(map(_Marker(job, hide(job.source)).mark, findings))


class _Marker:
    def __init__(self, job: Job, cover: Cover) -> None:
        self._cover = cover
        self._places = Places(job)
        self._comments = [comment.span for comment in job.script.comments]

    def mark(self, finding: Finding) -> Mark:
        place = self._places.of(finding.span)
        command = self._text(place.span)
        own = finding.span if place.readable else self._first_line(finding.span)
        related = (self._text(self._first_line(one.span)) for one in finding.related)
        parts = [self._text(own), *sorted(text for text in related if not _NAME.fullmatch(text))]
        numbers = _numbers(self._cover.text(finding.message))
        said = [parts, numbers, "" if place.telling else command]
        return Mark(finding.code, self._cover.text(place.name), _fingerprint(said), _fingerprint(command))

    def _text(self, span: Span) -> str:
        """Return what stands at *span*: in one line, blanks alike, without comments, secrets as one word."""
        text = self._cover.source.slice(span)
        for comment in reversed(self._comments):
            if comment in span and comment != span:
                start, end = comment.start - span.start, comment.end - span.start
                text = text[:start] + text[end:]
        return _HIDDEN.sub("********", " ".join(_CONTINUATION.sub("", text).split()))

    def _first_line(self, span: Span) -> Span:
        """Return *span* up to the end of its first line, or of the last one that this is continued by."""
        found = _LINE.match(self._cover.source.text, span.start, max(span.start, span.end))
        return span if found is None else Span(span.start, found.end())


def _numbers(message: str) -> list[str]:
    """Return the values in *message*; no line numbers and no Slurm releases, which change by themselves."""
    return _NUMBER.findall(_RELEASE.sub("", _LINES.sub("", message)))


def _fingerprint(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:_DIGITS]
