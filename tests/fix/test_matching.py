"""Which finding of the new text is one of the old."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.fix.matching import new_problems
from sbatchlint.fix.shift import Shift
from sbatchlint.source import Source, Span


@dataclass(frozen=True)
class Found:
    """The least that a finding can be."""

    code: str
    message: str
    span: Span
    serious: bool = True
    fix: Fix | None = None


OLD = Source("f", "aaaa bbbb cccc")
EDITS = [Edit(Span(5, 5), "__"), Edit(Span(14, 14), "!!")]
NEW = OLD.edited((edit.span, edit.text) for edit in EDITS)  # "aaaa __bbbb cccc!!"
B, C = Span(5, 9), Span(10, 14)
B_INNER, B_OUTER, C_INNER, C_OUTER = Span(7, 11), Span(5, 11), Span(12, 16), Span(12, 18)


def is_known(before: Found, after: Found) -> bool:
    return new_problems([before], [after], (OLD, NEW), Shift(EDITS)) == []


@pytest.mark.parametrize(
    ("span", "message", "known"),
    [
        (B_INNER, "m", True),  # the same place, the same words
        (B_INNER, "other", True),  # the same place
        (Span(7, 8), "other", True),  # it begins at the same place
        (B_OUTER, "other", True),  # or where something was put in front of it
        (Span(5, 6), "other", True),
        (Span(0, 1), "m", True),  # the same words elsewhere
        (Span(0, 1), "other", False),
        (Span(6, 11), "other", False),
        (Span(8, 11), "other", False),
    ],
)
def test_a_finding_of_b(span: Span, message: str, known: bool) -> None:
    assert is_known(Found("T1", "m", B), Found("T1", message, span)) is known
    assert not is_known(Found("T1", "m", B), Found("T2", message, span))


def test_the_same_text_elsewhere() -> None:
    twice = Source("f", "x = y\ny = x")
    shift = Shift([])
    (old, new) = Found("T1", "m", Span(0, 1)), Found("T1", "other", Span(10, 11))
    assert new_problems([old], [new], (twice, twice), shift) == []
    new = Found("T1", "other", Span(4, 5))
    assert new_problems([old], [new], (twice, twice), shift) == [new]


def pairs(before: list[Found], after: list[Found]) -> list[str]:
    """Return the words of those of *after* that are new."""
    return [found.message for found in new_problems(before, after, (OLD, NEW), Shift(EDITS))]


def test_each_old_one_answers_for_one_new_one() -> None:
    one, place = Found("T1", "m", B), B_INNER
    assert pairs([one], [Found("T1", "m", place), Found("T1", "m", place)]) == ["m"]
    assert pairs([one, one], [Found("T1", "m", place), Found("T1", "m", place)]) == []
    assert pairs([one, one, one], [Found("T1", "m", place)]) == []


def test_the_better_answer_goes_first() -> None:
    """Two old ones, of which only one can answer for each of the new ones in the end."""
    # Place and words before place alone: else the first would take what is the second's.
    before = [Found("T1", "a", B), Found("T1", "b", B)]
    assert pairs(before, [Found("T1", "b", B_INNER), Found("T1", "new", B_INNER)]) == []
    assert pairs([Found("T1", "b", B)], [Found("T1", "new", B_INNER), Found("T1", "b", B_INNER)]) == ["new"]
    # The whole place before its beginning.
    assert pairs([Found("T1", "a", B)], [Found("T1", "x", Span(7, 8)), Found("T1", "y", B_INNER)]) == ["x"]
    # Its beginning before what was put in front of it.
    assert pairs([Found("T1", "a", B)], [Found("T1", "x", B_OUTER), Found("T1", "y", Span(7, 9))]) == ["x"]
    # The place before the words, the words before the text.
    assert pairs([Found("T1", "a", C)], [Found("T1", "a", Span(0, 1)), Found("T1", "y", C_OUTER)]) == ["a"]
    text = Source("f", "bbbb bbbb bbbb")
    old = [Found("T1", "a", Span(0, 4))]
    after = [Found("T1", "x", Span(5, 9)), Found("T1", "a", Span(10, 14))]
    assert new_problems(old, after, (text, text), Shift([])) == after[:1]
