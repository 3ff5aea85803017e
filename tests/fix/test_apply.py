"""One sweep of fixes over a text."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.fix.apply import UnsoundFix, apply_fixes, check_sound
from sbatchlint.fix.edit import Edit, Fix
from sbatchlint.source import Source, Span

TEXTS = st.text(st.sampled_from("a#b \t$é世\U0001f600\udc80\n\\"), max_size=60)


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """Give a text and edits of it that stand clear of one another."""
    text = draw(TEXTS)
    offsets = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [Span(start, end) for start, end in pairwise(offsets)][::2]
    return text, [Edit(span, draw(st.text(st.sampled_from("xé\n世"), max_size=4))) for span in spans]


def splice(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@given(edited_texts(), st.randoms())
def test_edits_apply_as_a_splice_of_the_text_would(case: tuple[str, list[Edit]], random: object) -> None:
    text, edits = case
    source = Source("f", text)
    fixes = [Fix.safe(str(number), edit) for number, edit in enumerate(edits)]
    fixes = [fix for fix in fixes if source.slice(fix.edits[0].span) != fix.edits[0].text]
    random.shuffle(fixes)  # type: ignore[attr-defined]
    done = apply_fixes(source, fixes)
    assert done.source.text == splice(text, [edit for fix in fixes for edit in fix.edits])
    assert done.waiting == ()
    assert set(done.taken) == set(fixes)


@given(edited_texts(), st.lists(st.sampled_from(["\n", "\r\n"]), min_size=61, max_size=61))
def test_bytes_outside_the_edits_are_untouched(case: tuple[str, list[Edit]], ends: list[str]) -> None:
    text, edits = case
    # Edits within lines only: an edit that takes a line end takes it in either form.
    edits = [edit for edit in edits if "\n" not in text[edit.span.start : edit.span.end] + edit.text]
    lines = text.split("\n")
    raw = "".join(line + end for line, end in zip(lines, ends, strict=False))[: -len(ends[len(lines) - 1])]
    source = Source.from_bytes(raw.encode("utf-8", "surrogateescape"), "f")
    edits = [edit for edit in edits if source.slice(edit.span) != edit.text]
    if not edits:
        return
    done = apply_fixes(source, [Fix.safe("all", *edits)])
    expected = splice(text, edits).split("\n")
    assert len(expected) == len(lines)
    whole = "".join(line + end for line, end in zip(expected, ends, strict=False))
    assert done.source.to_bytes() == whole[: -len(ends[len(lines) - 1])].encode("utf-8", "surrogateescape")


@given(st.data())
def test_whatever_is_asked_fixes_are_taken_whole_or_wait(data: st.DataObject) -> None:
    text = data.draw(st.text("abc\n", min_size=1, max_size=20))
    source = Source("f", text)
    fixes = []
    for number in range(data.draw(st.integers(1, 5))):
        offsets = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=4)))
        edits = [Edit(Span(start, end), "X") for start, end in pairwise(offsets)][::2]
        if edits:
            fixes.append(Fix.safe(str(number), *edits))
    done = apply_fixes(source, fixes)
    assert {*done.taken, *done.waiting} == set(fixes)
    assert not set(done.taken) & set(done.waiting)
    assert done.source.text == splice(text, list({edit for fix in done.taken for edit in fix.edits}))
    if fixes:
        assert done.taken


def test_overlapping_fix_waits_as_a_whole() -> None:
    source = Source("f", "abcdef")
    first = Fix.safe("first", Edit(Span(0, 3), "x"))
    second = Fix.safe("second", Edit(Span(2, 4), "y"), Edit(Span(5, 6), "z"))
    done = apply_fixes(source, [second, first])
    assert done.source.text == "xdef"
    assert done.taken == (first,)
    assert done.waiting == (second,)


def test_identical_edits_of_two_fixes_are_made_once() -> None:
    source = Source("f", "ab")
    shared = Edit(Span(1, 1), "-")
    first = Fix.safe("first", shared)
    second = Fix.safe("second", shared, Edit(Span(0, 1), "A"))
    third = Fix.safe("third", shared, Edit(Span(2, 2), "!"))
    done = apply_fixes(source, [first, third])
    assert done.source.text == "a-b!"
    assert done.taken == (first, third)
    assert apply_fixes(source, [first, second]).source.text == "A-b"
    assert apply_fixes(source, [third, second]).source.text == "A-b!"


def test_insertions_at_one_place_wait_for_each_other() -> None:
    source = Source("f", "ab")
    first, second = Fix.safe("first", Edit(Span(1, 1), "x")), Fix.safe("second", Edit(Span(1, 1), "y"))
    done = apply_fixes(source, [first, second])
    assert done.source.text == "axb"
    assert done.waiting == (second,)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_insertion_at_what_is_replaced_waits(place: int) -> None:
    source = Source("f", "abc")
    replacing, inserting = Fix.safe("1", Edit(Span(0, 2), "x")), Fix.safe("2", Edit(Span(place, place), "y"))
    done = apply_fixes(source, [replacing, inserting])
    assert (len(done.taken), len(done.waiting)) == (1, 1)
    assert done.source.text == ("yabc" if place == 0 else "xc")


def test_replacements_that_only_touch_are_both_made() -> None:
    source = Source("f", "abcd")
    done = apply_fixes(source, [Fix.safe("1", Edit(Span(0, 2), "x")), Fix.safe("2", Edit(Span(2, 4), "y"))])
    assert done.source.text == "xy"


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ([Edit(Span(0, 9), "x")], "an edit lies outside the file"),
        ([Edit(Span(2, 1), "x")], "an edit lies outside the file"),
        ([Edit(Span(0, 2), "x"), Edit(Span(1, 3), "y")], "its edits overlap one another"),
        ([Edit(Span(1, 1), "x"), Edit(Span(1, 1), "y")], "its edits overlap one another"),
        ([Edit(Span(0, 1), "a")], "it changes nothing"),
        ([], "it changes nothing"),
        (
            [Edit(Span(0, 1), "x\r\n")],
            "an edit writes a carriage return; line ends are the source's business",
        ),
    ],
)
def test_unsound_fix_is_refused(edits: list[Edit], reason: str) -> None:
    with pytest.raises(UnsoundFix, match=f"^{reason}$"):
        apply_fixes(Source("f", "abcd"), [Fix.safe("t", *edits)])


def test_same_fix_twice_is_one() -> None:
    fix = Fix.unsafe("t", Edit(Span(0, 0), "x"))
    assert apply_fixes(Source("f", "a"), [fix, replace(fix)]).source.text == "xa"


def test_line_ends_are_a_change_where_there_are_any_to_change() -> None:
    source, fix = Source.from_text("a\r\nb\n", "f"), Fix.line_ends("t")
    assert apply_fixes(source, [fix]).source == Source("f", "a\nb\n")
    with pytest.raises(UnsoundFix, match="it changes nothing"):
        check_sound(Source("f", "a\nb\n"), fix)
    with pytest.raises(UnsoundFix, match="it changes nothing"):
        check_sound(source, Fix.safe("t", Edit(Span(0, 1), "a")))
