"""Suppressions that answer nothing, and the edits that take them out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.scopes import Scope, Suppressions
from sbatchlint.lint.suppress import Entry, Suppression
from sbatchlint.source import Source, Span


@dataclass(frozen=True, slots=True)
class Unused:
    """What one comment suppresses in vain."""

    span: Span
    keys: str
    fix: Fix


def unused_suppressions(source: Source, suppressions: Suppressions, ran: Collection[str]) -> Iterator[Unused]:
    """Yield one :class:`Unused` per comment that has entries without a finding, of rules in *ran*."""
    idle: dict[Suppression, list[Scope]] = {}
    for scope in suppressions.scopes:
        if not scope.used and scope.code in ran:
            idle.setdefault(scope.suppression, []).append(scope)
    for suppression, scopes in idle.items():
        entries = [scope.entry for scope in scopes]
        whole = len(entries) == len(suppression.entries)
        yield Unused(
            suppression.span if whole else entries[0].span,
            " and ".join(entry.key for entry in entries),
            Fix.safe("remove the unused suppression", *_edits(source, suppression, scopes)),
        )


def _edits(source: Source, suppression: Suppression, scopes: list[Scope]) -> Iterator[Edit]:
    yield _without(source, suppression, [scope.entry for scope in scopes])
    closing: dict[Suppression, list[Entry]] = {}
    for scope in scopes:
        if scope.closing is not None:
            closing.setdefault(scope.closing[0], []).append(scope.closing[1])
    for other, entries in closing.items():
        yield _without(source, other, entries)


def _without(source: Source, suppression: Suppression, gone: list[Entry]) -> Edit:
    """Return the edit that takes *gone* out of the comment, or the comment out of the script."""
    kept = [entry.key for entry in suppression.entries if entry not in gone]
    if not kept:
        return Edit(_whole(source, suppression), "")
    first, second = suppression.entries[0].span, suppression.entries[1].span
    separator = source.text[first.end : second.start]
    return Edit(Span(first.start, suppression.entries[-1].span.end), separator.join(kept))


def _whole(source: Source, suppression: Suppression) -> Span:
    """Return the comment with the blanks around it; if it has a line to itself, that line."""
    line = source.line_around(suppression.span.start)
    if suppression.own_line:
        return Span(line.start, min(line.end + 1, len(source.text)))
    before = source.text[line.start : suppression.span.start]
    return Span(line.start + len(before.rstrip()), line.end)
