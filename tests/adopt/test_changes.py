"""Which lines are new: held against what a random editing really did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.adopt.changes import Changes
from sbatchlint.source import Source, Span

LINE = st.sampled_from(["a", "b", "", "fi"])


@given(st.lists(LINE, max_size=8), st.lists(LINE, max_size=8))
def test_lines_that_are_kept_are_the_same_and_in_order(before: list[str], after: list[str]) -> None:
    old, new = Source("f", "\n".join(before)), Source("f", "\n".join(after))
    changes = Changes(old, new)
    last = -1
    for number in range(1, new.line_count + 1):
        origin = changes.origin(new.line_span(number).start)
        assert (origin is None) == changes.touched(new.line_span(number))
        if origin is not None:
            assert old.slice(old.line_around(origin)) == new.line(number)
            assert origin > last
            last = origin


@given(st.lists(st.integers(0, 99), unique=True, max_size=12), st.data())
def test_of_lines_all_different_the_new_ones_are_touched(numbers: list[int], data: st.DataObject) -> None:
    before = [f"line {number}" for number in numbers]
    kept = [line for line in before if data.draw(st.booleans())]
    at = data.draw(st.integers(0, len(kept)))
    fresh = data.draw(st.lists(st.just("new"), max_size=3))
    after = [*kept[:at], *fresh, *kept[at:], "end"]
    new = Source("f", "\n".join(after))
    changes = Changes(Source("f", "\n".join([*before, "end"])), new)
    touched = [new.line(n) for n in range(1, new.line_count + 1) if changes.touched(new.line_span(n))]
    assert touched == fresh


@pytest.mark.parametrize("text", ["a\nb\n", "a\nb", ""])
def test_line_ends_alone_change_no_line(text: str) -> None:
    old, new = Source.from_text(text), Source.from_text(text.replace("\n", "\r\n"))
    assert not Changes(old, new).touched(Span(0, len(new.text)))
