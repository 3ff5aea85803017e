"""What a check does grows with the script and no faster, whatever the script is full of."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.counting import growth
from benchmarks.shapes import SHAPES

SIZE = 12
"""Of the smallest of the three scripts, where :data:`SIZES` names no other."""

LARGE = 80
"""The same for the tests that take long."""

LARGE_SIZES = {"loops": 60}
"""With more, loops are not unrolled any more, which costs less or more, but not in proportion."""

SIZES = {
    "nesting": 4,
    "nested_substitutions": 6,
    "subshells_nested": 4,
    "loop_of_steps": 5,
    "long_loop": 10,
    "unclosed_loops": 4,
}
"""Where more would be beyond what is followed, or take long in so many tests."""

SMALL = {
    "nesting",
    "nested_substitutions",
    "subshells_nested",
    "unclosed_loops",
    "loop_of_steps",
    "long_loop",
}
"""Shapes of which no large ones are followed."""

OFTEN = SMALL | {
    *("lines", "words", "variables", "branches", "functions", "directives", "steps"),
    *("exports_and_programs", "appended", "array_appended", "comments"),
}
"""What the quick tests do; the others are done with large scripts."""

NO_WORK = ("long_word",)
"""Shapes that only C code has work with."""

MOST = 2.2
"""Linear is 2; the rest is room for tables that are laid out in another way once they are large."""

KNOWN = {"unclosed_loops": "bash refuses it, and each shorter part of it is read again"}
"""What is not linear yet, and why."""


def shapes(wanted: set[str]) -> list[object]:
    return [
        pytest.param(shape, marks=pytest.mark.xfail(reason=KNOWN[shape])) if shape in KNOWN else shape
        for shape in SHAPES
        if shape not in NO_WORK and shape in wanted
    ]


@pytest.mark.parametrize("shape", shapes(OFTEN))
def test_twice_as_much_takes_twice_as_much_work(shape: str, tmp_path: Path) -> None:
    assert growth(shape, SIZES.get(shape, SIZE), tmp_path) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("shape", shapes(set(SHAPES) - SMALL))
def test_so_it_is_with_large_scripts(shape: str, tmp_path: Path) -> None:
    assert growth(shape, LARGE_SIZES.get(shape, LARGE), tmp_path) <= MOST
