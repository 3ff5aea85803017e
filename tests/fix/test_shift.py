"""Places of the old text in the new one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.fix.apply import apply_fixes
from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.fix.shift import Shift
from sbatchlint.source import Source, Span


@pytest.mark.parametrize(
    ("edit", "inner", "outer"),
    [
        (Edit(Span(0, 1), "xyz"), Span(6, 8), Span(6, 8)),
        (Edit(Span(4, 4), "--"), Span(6, 8), Span(4, 8)),
        (Edit(Span(6, 6), "--"), Span(4, 6), Span(4, 8)),
        (Edit(Span(5, 5), "--"), Span(4, 8), Span(4, 8)),
        (Edit(Span(4, 6), "wxyz"), Span(4, 8), Span(4, 8)),
        (Edit(Span(3, 7), ""), Span(3, 3), Span(3, 3)),
        (Edit(Span(8, 9), "far"), Span(4, 6), Span(4, 6)),
    ],
)
def test_span_4_to_6(edit: Edit, inner: Span, outer: Span) -> None:
    shift = Shift([edit])
    assert shift.inner(Span(4, 6)) == inner
    assert shift.outer(Span(4, 6)) == outer


def test_a_place_between_two_characters() -> None:
    shift = Shift([Edit(Span(1, 2), "xyz"), Edit(Span(4, 4), "--")])
    assert shift.inner(Span(3, 3)) == shift.outer(Span(3, 3)) == Span(5, 5)
    assert shift.inner(Span(4, 4)) == shift.outer(Span(4, 4)) == Span(6, 8)


def test_what_is_gone_has_its_place_before_what_came_instead() -> None:
    shift = Shift([Edit(Span(2, 4), ""), Edit(Span(4, 4), "new")])
    assert shift.inner(Span(2, 4)) == Span(2, 2)
    assert shift.outer(Span(2, 4)) == Span(2, 5)


@given(st.data())
def test_text_that_no_edit_touches_is_found_again(data: st.DataObject) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(30))  # all different
    offsets = sorted(data.draw(st.sets(st.integers(0, 30), min_size=2, max_size=8)))
    pairs = list(zip(offsets[::2], offsets[1::2], strict=False))
    edits = [Edit(Span(*pair), "a" * data.draw(st.integers(0, 5))) for pair in pairs]
    done = apply_fixes(Source("f", text), [Fix.safe("t", *edits)])
    shift = Shift(done.edits)
    start = data.draw(st.integers(0, 29))
    span = Span(start, data.draw(st.integers(start + 1, 30)))
    if not any(span.overlaps(edit.span) for edit in edits):
        assert done.source.slice(shift.inner(span)) == text[span.start : span.end]
        assert text[span.start : span.end] in done.source.slice(shift.outer(span))
