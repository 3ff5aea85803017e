"""No character of a script can reach the terminal as anything but itself or a visible escape."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.report.cells import cells, shown


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("plain text", "plain text"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m", r"\u009b31m"),
        ("a\u202eb", r"a\u202eb"),
        ("--nodes\u00a02", r"--nodes\u00a02"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("\ufeff#!/bin/bash", r"\ufeff#!/bin/bash"),
        ("byte \udcff", r"byte \xff"),
        ("two\nlines\r", r"two\nlines\r"),
        ("tab\there", r"tab\there"),
        ("Größe 模型 ✓", "Größe 模型 ✓"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_shown(raw: str, seen: str) -> None:
    assert shown(raw) == seen


@given(st.text(alphabet=st.characters(codec=None)))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    for out in (shown(text), "".join(cell.text for cell in cells(text))):
        assert not {unicodedata.category(char) for char in out} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
        out.encode()  # no lone surrogate


def widths(text: str) -> list[int]:
    return [cell.width for cell in cells(text)]


def test_wide_and_combining_characters() -> None:
    assert widths("a模é") == [1, 2, 1]
    assert widths("e\u0301") == [1, 0]
    assert widths("ｗ") == [2]
    assert widths("\U0001f600") == [2]


def test_tabs_run_to_the_next_stop() -> None:
    assert widths("\tx\tabcd\t") == [4, 1, 3, 1, 1, 1, 1, 4]
    assert "".join(cell.text for cell in cells("模\tx")) == "模  x"


def test_an_escape_is_as_wide_as_it_looks() -> None:
    assert widths("\u00a0") == [6]
    assert widths("\x07") == [4]
