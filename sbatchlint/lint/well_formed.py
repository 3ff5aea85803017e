"""Whether a finding is one that can be shown; what a plugin yields may be anything."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.lint.finding import Confidence, Finding, Related, Severity
from sbatchlint.source import Span


def problem_of(finding: object, length: int) -> str:
    """Return what is wrong with *finding* in a text of *length* characters; nothing where it is sound.

    Where the edits of its fix lie is not looked at: such a fix is refused later, and the finding stands.
    """
    if not isinstance(finding, Finding):
        return f"{type(finding).__name__} yielded, which is no finding"
    for name, value, kind in _parts(finding):
        if not isinstance(value, kind):
            return f"finding whose {name} is {type(value).__name__}, not {kind.__name__}"
    if not _is_inside(finding.span, length):
        return f"finding outside the file: {finding.span}"
    for one in finding.related:
        if not _is_inside(one.span, length):
            return f"finding with a related place outside the file: {one.span}"
    return ""


def _is_inside(span: Span, length: int) -> bool:
    return type(span.start) is int and type(span.end) is int and 0 <= span.start <= span.end <= length


def _parts(finding: Finding) -> Iterator[tuple[str, object, type]]:
    """Yield the parts that are shown, each with what it must be, the containers before what is in them."""
    yield "code", finding.code, str
    yield "name", finding.name, str
    yield "severity", finding.severity, Severity
    yield "confidence", finding.confidence, Confidence
    yield "message", finding.message, str
    yield "label", finding.label, str
    yield "help", finding.help, str
    yield "span", finding.span, Span
    yield "notes", finding.notes, tuple
    for note in finding.notes:
        yield "note", note, str
    yield "related", finding.related, tuple
    for one in finding.related:
        yield "related place", one, Related
        yield "related span", one.span, Span
        yield "related message", one.message, str
    if finding.fix is not None:
        yield from _parts_of_fix(finding.fix)


def _parts_of_fix(fix: Fix) -> Iterator[tuple[str, object, type]]:
    yield "fix", fix, Fix
    yield "fix title", fix.title, str
    yield "fix safety", fix.safety, Safety
    for edit in fix.edits:
        yield "fix edit", edit, Edit
        yield "fix span", edit.span, Span
        yield "fix start", edit.span.start, int
        yield "fix end", edit.span.end, int
        yield "fix text", edit.text, str
