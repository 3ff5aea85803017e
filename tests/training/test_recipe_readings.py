"""What a recipe sets fills up what the command line leaves open, and is never taken for certain."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.violations import violations
from tests.training.building import run

Q = Quantity
RECIPE = "qwen3_30b_a3b_pretrain_config"
START = "srun python scripts/training/run_recipe.py"


@pytest.mark.parametrize(
    "words", [f"--recipe {RECIPE}", f"--recipe={RECIPE}", f"--recipe other_config --recipe {RECIPE}"]
)
def test_its_numbers_are_assumed(words: str) -> None:
    layout = run(f"{START} {words}", nodes=2, ntasks_per_node=8).layout
    told = {quantity: layout[quantity] for quantity in (Q.TP, Q.PP, Q.EP)}
    assert {quantity: one.value for quantity, one in told.items()} == {Q.TP: 4, Q.PP: 2, Q.EP: 4}
    assert all(one.certainty is Certainty.ASSUMED and one.recipe and not one.given for one in told.values())
    assert (layout.dp.value, layout.edp.value) == (2, 2)


def test_an_option_beats_it_even_if_its_value_is_not_known() -> None:
    layout = run(f"{START} --recipe {RECIPE} -tp 2 -pp $PP", nodes=2, ntasks_per_node=8).layout
    assert (layout[Q.TP].value, layout[Q.TP].certainty) == (2, Certainty.KNOWN)
    assert not layout[Q.PP].known


@pytest.mark.parametrize("words", ["--recipe $RECIPE", "--recipe my_own_config", "--recipe", "--model qwen3"])
def test_a_recipe_that_is_not_known_says_nothing(words: str) -> None:
    layout = run(f"{START} {words}", nodes=2, ntasks_per_node=8).layout
    assert not any(layout[quantity].recipe for quantity in Q)


def test_batches_are_left_to_the_run() -> None:
    layout = run(f"{START} --recipe {RECIPE}", nodes=2, ntasks_per_node=8).layout
    assert not layout[Q.GBS].known


def test_a_recipe_in_too_small_a_world() -> None:
    recipe = "deepseek_v3_pretrain_64gpu_h100_fp8cs_config"
    (found,) = violations(run(f"{START} --recipe {recipe}", nodes=8, ntasks_per_node=8).layout)
    assert found.text == "world size 64 is not divisible by ETP 1 x EP 64 x PP 8 = 512"
    assert found.certainty is Certainty.ASSUMED
    assert found.culprit.span is not None
