"""Suppressions that answer nothing, and the edits that take them out."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.lint.scopes import Scope, Suppressions
from sbatchlint.lint.suppress import Entry, Suppression
from sbatchlint.records import dataclass
from sbatchlint.source import Source, Span


@dataclass(frozen=True, slots=True)
class Unused:
    """What one comment suppresses in vain."""

    span: Span
    keys: str
    fix: Fix


def unused_suppressions(source: Source, suppressions: Suppressions, ran: Collection[str]) -> Iterator[Unused]:
    """Yield one :class:`Unused` per comment that has entries without a finding, of rules in *ran*.

    A prefix has to have all its rules in *ran*, and no finding of any.
    """
    idle: dict[Suppression, list[Entry]] = {}
    for (suppression, entry), scopes in _by_entry(suppressions).items():
        if all(not scope.used and scope.code in ran for scope in scopes):
            idle.setdefault(suppression, []).append(entry)
    needless = _needless_ends(suppressions, idle)
    for suppression, entries in idle.items():
        whole = len(entries) == len(suppression.entries)
        gone = [(suppression, entries), *needless.get(suppression, {}).items()]
        yield Unused(
            suppression.span if whole else entries[0].span,
            " and ".join(entry.key for entry in entries),
            Fix.safe("remove the unused suppression", *(_without(source, *one) for one in gone)),
        )


def _by_entry(suppressions: Suppressions) -> dict[tuple[Suppression, Entry], list[Scope]]:
    scopes: dict[tuple[Suppression, Entry], list[Scope]] = {}
    for scope in suppressions.scopes:
        scopes.setdefault((scope.suppression, scope.entry), []).append(scope)
    return scopes


def _needless_ends(
    suppressions: Suppressions, idle: dict[Suppression, list[Entry]]
) -> dict[Suppression, dict[Suppression, list[Entry]]]:
    """Return the entries of each ``on`` that end nothing but what is *idle*, by the last of those."""
    ended: dict[tuple[Suppression, Entry], list[Scope]] = {}
    for scope in suppressions.scopes:
        if scope.closing is not None:
            ended.setdefault(scope.closing, []).append(scope)
    needless: dict[Suppression, dict[Suppression, list[Entry]]] = {}
    for (end, entry), scopes in ended.items():
        if all(scope.entry in idle.get(scope.suppression, ()) for scope in scopes):
            last = max((scope.suppression for scope in scopes), key=lambda one: one.span.start)
            needless.setdefault(last, {}).setdefault(end, []).append(entry)
    return needless


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
