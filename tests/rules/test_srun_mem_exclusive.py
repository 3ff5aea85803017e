"""SB339: memory asked for in two ways on one srun line."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

CODE = "SB339"


@pytest.mark.parametrize(
    "body",
    [
        "srun --mem=4G --mem-per-cpu=1G hostname",
        "srun --mem-per-gpu 4G --mem 0 hostname",
        "M='--mem=4G --mem-per-cpu=1G'; srun $M hostname",
        'O=(--mem=4G); O+=(--mem-per-cpu=1G); srun "${O[@]}" hostname',
    ],
)
def test_two_ways_are_told(body: str) -> None:
    assert lines(job(body, ntasks=1), CODE) == [(3, "error")]


def test_a_condition_makes_it_less_sure() -> None:
    text = job('if [ "$X" ]; then srun --mem=4G --mem-per-cpu=1G hostname; fi', ntasks=1)
    assert lines(text, CODE) == [(3, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        "srun --mem-per-cpu=1G hostname",
        "srun --mem=4G --mem=8G hostname",
        "srun --mem=4G prog --mem-per-cpu=1G",
        'if [ "$X" ]; then M=--mem=4G; else M=--mem-per-cpu=1G; fi; srun $M hostname',
        'if [ "$X" ]; then O=--mem=4G; fi; srun --mem-per-cpu=1G $O hostname',
        "srun --mem=4G : --mem-per-cpu=1G hostname",
    ],
)
def test_one_way_is_left_in_peace(body: str) -> None:
    assert lines(job(body, ntasks=1, mem="8G"), CODE) == []
