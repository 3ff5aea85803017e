"""The table: medians, ratios and targets, from measures that were made up."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.growing import LINEAR, exponents
from benchmarks.measure import Measure, median
from benchmarks.table import Row, Target, peak_memory, render, seconds, times_as_fast, times_as_long

TIMES = st.floats(1e-3, 1e3)


def took(cpu: float, wall: float | None = None, *, memory: int = 0, ended: bool = True) -> Measure:
    return Measure(cpu if wall is None else wall, cpu, memory, ended)


def test_the_median_is_taken_of_each_number_for_itself_and_the_largest_memory() -> None:
    found = median([took(1, 9, memory=5), took(2, 8, memory=7), took(30, 1, memory=6)])
    assert found == Measure(8, 2, 7)


@given(st.lists(TIMES, min_size=1))
def test_the_median_lies_within(times: list[float]) -> None:
    assert min(times) <= median([took(time) for time in times]).cpu <= max(times)


@given(TIMES, TIMES)
def test_as_long_and_as_fast_are_two_sides_of_one_thing(ours: float, theirs: float) -> None:
    long = times_as_long("", took(ours), took(theirs)).number
    fast = times_as_fast("", took(ours), took(theirs)).number
    assert long is not None and fast is not None
    assert long * fast == pytest.approx(1)


def test_the_processor_decides_and_the_clock_is_told() -> None:
    row = times_as_long("", took(6, 1), took(2, 10), 3)
    assert (row.number, row.wall, row.verdict) == (3, 0.1, "reached")
    row = times_as_fast("", took(1, 100), took(4, 1), 4)
    assert (row.number, row.wall, row.verdict) == (4, 0.01, "reached")


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (times_as_long("", took(3.1), took(1), 3), "NOT REACHED"),
        (times_as_long("", took(2.9), took(1), 3), "reached"),
        (times_as_fast("", took(1), took(3.9), 4), "NOT REACHED"),
        (times_as_fast("", took(1), took(4.1), 4), "reached"),
        (times_as_fast("", took(1), took(0.1)), ""),
        (times_as_fast("", took(1, ended=False), took(9), 4), "NOT REACHED"),
        (times_as_long("", took(1), took(9, ended=False), 4), "NOT REACHED"),
        (peak_memory("", took(1, memory=150_000_000), 150), "reached"),
        (peak_memory("", took(1, memory=151_000_000), 150), "NOT REACHED"),
        (peak_memory("", took(1, memory=1, ended=False), 150), "NOT REACHED"),
    ],
)
def test_what_is_said_of_a_target(row: Row, verdict: str) -> None:
    assert row.verdict == verdict


def test_a_target_is_reached_at_its_very_number() -> None:
    assert Target(3, at_most=True).holds(3)
    assert Target(4, at_most=False).holds(4)


@given(st.floats(0.5, 3), st.floats(1e-2, 1e2))
def test_the_exponent_is_that_of_the_cost(exponent: float, factor: float) -> None:
    sizes = (10, 100, 1000)
    costs = [factor * size**exponent for size in sizes]
    assert list(exponents(sizes, costs)) == pytest.approx([exponent] * 2)


def test_costs_too_small_to_be_measured_grow_as_nothing_would() -> None:
    assert list(exponents((10, 100), [-0.01, 0.0])) == [0]


def test_fewer_costs_than_sizes_give_fewer_exponents() -> None:
    assert list(exponents((10, 20, 40), [1.0, 2.0])) == [1]
    assert not LINEAR.holds(math.log(2.5, 2))


def test_times_are_told_as_they_are_read_best() -> None:
    assert seconds(took(0.0421)) == "42 ms"
    assert seconds(took(4.567)) == "4.57 s"
    assert seconds(took(60.01, 200, ended=False)) == "over 60 s"


def test_the_table_has_its_columns_below_each_other() -> None:
    table = render([Row("a", "1 ms", "2 ms", 1.5, 40.4, Target(6, at_most=True)), Row("longer", "over 60 s")])
    assert table.splitlines() == [
        "        sbatchlint  beside  number  by the clock  shall be",
        "a       1 ms        2 ms    1.50    40            at most 6  reached",
        "longer  over 60 s",
    ]
