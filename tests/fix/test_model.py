"""Whatever is asked of it, the engine writes the sum of edits that don't overlap, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.fix.apply import UnsoundFix, apply_fixes, check_sound
from sbatchlint.fix.converge import converge
from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.fix.guards import Guards
from sbatchlint.source import Source, Span
from tests.fix import model

PIECES = ["\n", "\r\n", "\r", "a", "b", " ", "#", "é", "世", "\U0001f600", "\udcff", "\\"]


def is_stable(text: str) -> bool:
    """Tell whether *text* is what a file can hold: a cell of its own for each piece, before and after."""
    return "".join(model.cells(text.encode("utf-8", "surrogateescape"))) == text


TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join).filter(is_stable)
NEW = st.text(st.sampled_from("xa\né "), max_size=4)


@st.composite
def edits_of(draw: st.DrawFn, length: int) -> Edit:
    start = draw(st.integers(-1, length + 1))
    end = draw(st.sampled_from([start, start, start + 1, start + 2, start - 1, length, length + 1]))
    text = draw(NEW) if draw(st.integers(0, 30)) else "\r\n"
    return Edit(Span(start, end), text)


@st.composite
def sweeps(draw: st.DrawFn) -> tuple[bytes, list[Fix]]:
    """Give a file and fixes of any kind, some of them twice, with edits that several share."""
    data = draw(TEXTS).encode("utf-8", "surrogateescape")
    length = len(model.cells(data))
    pool = draw(st.lists(edits_of(length), min_size=1, max_size=8))
    fixes = []
    for number in range(draw(st.integers(1, 6))):
        edits = draw(st.lists(st.sampled_from(pool), max_size=3))
        safety = draw(st.sampled_from(Safety))
        ends = draw(st.integers(0, 12)) == 0
        fixes.append(Fix(str(number), tuple(edits), safety, unix_line_ends=ends))
    again = draw(st.lists(st.sampled_from(fixes), max_size=2))
    return data, draw(st.permutations([*fixes, *again]))


def refuses(source: Source, fix: Fix) -> bool:
    try:
        check_sound(source, fix)
    except UnsoundFix:
        return True
    return False


@settings(max_examples=400)
@given(sweeps())
def test_one_sweep(case: tuple[bytes, list[Fix]]) -> None:
    data, fixes = case
    row, source = model.cells(data), Source.from_bytes(data, "f")
    assert source.to_bytes() == data
    sound = [fix for fix in fixes if model.is_sound(row, fix)]
    assert [fix for fix in fixes if not refuses(source, fix)] == sound
    if len(sound) < len(fixes):
        with pytest.raises(UnsoundFix):
            apply_fixes(source, fixes)
    done = apply_fixes(source, sound)
    assert list(done.taken) == model.taken(sound)
    assert {*done.taken, *done.waiting} == set(sound)
    assert not {*done.taken} & {*done.waiting}
    assert done.source.to_bytes() == model.applied(row, done.taken)
    assert list(done.edits) == sorted({edit for fix in done.taken for edit in fix.edits})
    assert source.to_bytes() == data


@dataclass(frozen=True)
class Found:
    """A finding for each fix."""

    fix: Fix
    span: Span
    code: str = "T1"
    message: str = "m"
    serious: bool = False


class Anything(Guards):
    """Holds against nothing."""

    def breaks_syntax(self, before: Source, after: Source) -> str | None:
        return None

    def loses_comment(self, before: Source, after: Source, revived: object = ()) -> str | None:
        return None


@settings(max_examples=200)
@given(sweeps(), st.booleans())
def test_a_round_writes_the_same(case: tuple[bytes, list[Fix]], unsafe: bool) -> None:
    """The safe ones; where there are none, and it is asked for, the unsafe ones; the unsound are dropped."""
    data, fixes = case
    found = [Found(fix, Span(at, at)) for at, fix in enumerate(fixes)]
    looked: list[Source] = []

    def lint(source: Source) -> list[Found]:
        looked.append(source)
        return found if len(looked) == 1 else []

    result = converge(Source.from_bytes(data, "f"), lint, unsafe=unsafe, guards=Anything())
    row = model.cells(data)
    sound = [fix for fix in fixes if model.is_sound(row, fix)]
    groups = [[fix for fix in sound if fix.safety is safety] for safety in (Safety.SAFE, Safety.UNSAFE)]
    group = groups[0] or (groups[1] if unsafe else [])
    assert result.source.to_bytes() == model.applied(row, model.taken(group))
    assert [one.fix for one in result.applied] == [fix for fix in fixes if fix in model.taken(group)]
    tried = [fix for fix in fixes if fix.safety is Safety.SAFE or unsafe]
    assert {one.fix for one in result.dropped} <= {fix for fix in tried if fix not in sound}
