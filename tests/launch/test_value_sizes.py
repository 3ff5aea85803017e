"""A size is told rather than counted for what was put together of pieces: it is the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.launch.combining import first_lacking, join, without_absent
from sbatchlint.launch.values import ABSENT, Choice, Text, Value, concatenated, text_value, unknown
from sbatchlint.launch.variable import Variable

TEXTS = st.text("ab", max_size=3).map(text_value)
PIECES = st.one_of(
    TEXTS, st.just(unknown("$X")), st.lists(TEXTS, min_size=1, max_size=2).map(tuple).map(Choice)
)
STEPS = st.lists(st.tuples(st.sampled_from(["add", "add", "head", "join", "ask"]), PIECES), max_size=80)


def _counted(value: Value) -> int:
    return sum(len(leaf.text) for leaf in value.leaves() if isinstance(leaf, Text))


@given(STEPS)
def test_it_is_what_counting_gives(steps: list[tuple[str, Value | Choice]]) -> None:
    kept = [text_value("ab") for _ in range(20)]
    value = concatenated(kept)
    for action, piece in steps:
        more = Value((piece,)) if isinstance(piece, Choice) else piece
        if action == "add":
            value = value + more
        elif action == "head":
            value = value.head(max(0, len(value.segments) - 2))
        elif action == "join":
            value = join([value, value + more], "$V", most=50)
        assert action != "ask" or value.size == _counted(value)
    assert value.size == _counted(value)


@pytest.mark.parametrize(
    "elements", [(), (text_value("a"),), (text_value("a"), Value((Choice((ABSENT, text_value("b"))),)))]
)
def test_the_first_element_that_may_be_missing(elements: tuple[Value, ...]) -> None:
    variable = Variable(None, tuple((str(at), value) for at, value in enumerate(elements)))
    missing = [at for at, value in enumerate(elements) if without_absent(value)[1]]
    assert variable.lacking == variable.lacking == first_lacking(elements) == [*missing, len(elements)][0]
