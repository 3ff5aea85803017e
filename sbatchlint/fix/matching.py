"""Telling which findings of an edited script were there before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from sbatchlint.fix.edit import Fix
from sbatchlint.fix.shift import Shift
from sbatchlint.source import Source, Span


class Problem(Protocol):
    """What this package needs to know of a finding."""

    @property
    def code(self) -> str:
        """The code of the rule that reports it."""

    @property
    def message(self) -> str:
        """What it says."""

    @property
    def span(self) -> Span:
        """Where it is."""

    @property
    def serious(self) -> bool:
        """Whether it is more than a remark."""

    @property
    def fix(self) -> Fix | None:
        """What would mend it."""


P = TypeVar("P", bound=Problem)
Key = tuple[object, ...]


def new_problems(
    before: Iterable[P], after: Sequence[P], sources: tuple[Source, Source], shift: Shift
) -> list[P]:
    """Return the members of *after* that have no counterpart in *before*.

    *sources* are the old and the new one, *shift* leads from the first to the second.  Each old problem
    is the counterpart of at most one new one with the same code: first of one at the same place, then
    of one that says the same, last of one that marks the same text.
    """
    old, new = sources
    by_place: list[tuple[Callable[[P], Key], Callable[[P], Key]]] = [
        (lambda one: (shift.inner(one.span), one.message), lambda one: (one.span, one.message)),
        (lambda one: (shift.inner(one.span),), lambda one: (one.span,)),
        (lambda one: (shift.inner(one.span).start,), lambda one: (one.span.start,)),
        (lambda one: (shift.outer(one.span).start,), lambda one: (one.span.start,)),
        (lambda one: (one.message,), lambda one: (one.message,)),
        (lambda one: (old.slice(one.span),), lambda one: (new.slice(one.span),)),
    ]
    rest_before, rest_after = list(before), list(after)
    for key_before, key_after in by_place:
        rest_before, rest_after = _pair(rest_before, rest_after, key_before, key_after)
    return rest_after


def _pair(
    before: list[P], after: list[P], key_before: Callable[[P], Key], key_after: Callable[[P], Key]
) -> tuple[list[P], list[P]]:
    """Take out the pairs with equal code and key; return what is left of either side."""
    waiting: dict[tuple[str, Key], list[P]] = defaultdict(list)
    for one in before:
        waiting[one.code, key_before(one)].append(one)
    left = []
    for one in after:
        same = waiting.get((one.code, key_after(one)))
        if same:
            same.pop(0)
        else:
            left.append(one)
    return [one for group in waiting.values() for one in group], left
