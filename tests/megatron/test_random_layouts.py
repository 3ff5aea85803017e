"""Random layouts, put to the real Megatron-Core and to us: both must say the same.

``SBATCHLINT_MEGATRON_LAYOUTS`` and ``SBATCHLINT_MEGATRON_SEED`` set how many are tried, and which besides
those of the fixed seed.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from sbatchlint.training.rank_grid import RankGrid, rank_grid
from tests.megatron.judging import PLACES, constraint_of, difference, has_groups_of, layout_of
from tests.megatron.oracle import MegatronCore
from tests.megatron.random_layouts import random_layouts

pytestmark = pytest.mark.megatron

COUNT = int(os.environ.get("SBATCHLINT_MEGATRON_LAYOUTS", "2000"))
FIXED = 20260822
SEEDS = [FIXED, *(int(seed) for seed in os.environ.get("SBATCHLINT_MEGATRON_SEED", "").split())]
GRIDS = 200
RANKS = ("world", "tp", "pp", "cp", "ep", "etp", "dp_after_pp")
"""What the grid of ranks is made of."""


@pytest.mark.parametrize("seed", SEEDS)
def test_verdict_constraint_and_copies_are_megatrons(
    megatron: MegatronCore, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = list(random_layouts(seed, COUNT))
    answers = megatron.ask(questions)
    pairs = list(zip(questions, answers, strict=True))
    said = Counter(
        constraint_of(one["where"], one["error"]) for answer in answers for one in answer["refusals"]
    )
    accepted = sum(not answer["refusals"] for answer in answers)
    differing = [found for pair in pairs if (found := difference(*pair)) is not None]
    with capsys.disabled():
        print(f"\nseed {seed}: {COUNT} layouts, {accepted} accepted, {len(differing)} judged otherwise")
    assert not differing, "\n".join(differing[:20])
    assert COUNT * 2 // 5 < accepted < COUNT * 3 // 5
    if seed == FIXED and COUNT >= 2000:
        assert set(said) == set(PLACES), "each constraint must be met"


def test_the_groups_of_the_grid_are_those_of_parallel_state(megatron: MegatronCore) -> None:
    questions = [
        {key: value for key, value in question.items() if key in RANKS} | {"groups": True}
        for question in random_layouts(FIXED + 1, GRIDS * 2)
    ]
    drawn = 0
    for question, answer in zip(questions, megatron.ask(questions), strict=True):
        grid = rank_grid(layout_of(question))
        assert isinstance(grid, RankGrid) is ("groups" in answer), question
        if isinstance(grid, RankGrid):
            drawn += 1
            assert has_groups_of(grid, answer), question
    assert drawn >= GRIDS
