"""SB720: a recipe's own number of GPUs against the ranks that are started."""

from __future__ import annotations

import pytest

from sbatchlint.lint.finding import Confidence
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.models import find_recipe, gpus_in_name, recipe_names
from tests.rules.checking import findings, job

CODE = "SB720"
ONE = {"nodes": 1, "ntasks_per_node": 8, "gpus_per_node": 8}
RUN = "python scripts/training/run_recipe.py"
RECIPE = "qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config"


def told(*body: str, **size: object) -> list[tuple[str, Confidence]]:
    return [(found.message, found.confidence) for found in findings(job(*body, **size), CODE)]


@pytest.mark.parametrize(
    "body",
    [
        [f"srun {RUN} --recipe {RECIPE}"],
        [f"srun {RUN} --recipe={RECIPE}"],
        [f"R={RECIPE}", f'srun bash -c "{RUN} --recipe $R"'],
        [f"ARGS=(--recipe {RECIPE} --mode pretrain)", f'srun uv run --no-sync {RUN} "${{ARGS[@]}}"'],
        [f"srun -n1 torchrun --nproc_per_node=8 {RUN.removeprefix('python ')} --recipe {RECIPE}"],
        [f"go() {{ srun {RUN} --recipe $1; }}", f"go {RECIPE}"],
    ],
)
def test_fewer_gpus_than_the_recipe_has_are_told(body: list[str]) -> None:
    message = "the recipe is made for 16 GPUs and is started on 8"
    assert told(*body, **ONE) == [(message, Confidence.HIGH)]


@pytest.mark.parametrize(
    ("recipe", "nodes"),
    [
        (RECIPE, 2),
        (RECIPE, 4),
        ("llama3_8b_pretrain_2gpu_h100_bf16_config", 1),
        ("llama3_8b_pretrain_16gpu_h100_bf16_16k_config", 2),
        ("qwen3_30b_a3b_sft_config", 2),
        ("qwen3_30b_a3b_pretrain_config", 1),
        ("nemotron_3_5_lightning_pretrain_config", 1),
        ("my_16gpu_config", 1),
    ],
)
def test_its_number_or_a_multiple_is_in_order(recipe: str, nodes: int) -> None:
    assert told(f"srun {RUN} --recipe {recipe}", **{**ONE, "nodes": nodes}) == []


def test_an_alias_is_a_doubt() -> None:
    text = job(f"srun {RUN} --recipe qwen3_30b_a3b_sft_config", **ONE)
    (found,) = findings(text, CODE)
    assert found.message == "the recipe is made for 16 GPUs and is started on 8"
    assert found.confidence is Confidence.MEDIUM
    assert found.notes[-1] == "stands for qwen3_30b_a3b_sft_16gpu_h100_bf16_config"


@pytest.mark.parametrize("words", ["$MORE", '"${MORE[@]}"', "model.expert_model_parallel_size=8"])
def test_what_may_set_another_layout_is_a_doubt_and_none_for_an_alias(words: str) -> None:
    named = told(f"srun {RUN} --recipe {RECIPE} {words}", **ONE)
    assert [confidence for _, confidence in named] == [Confidence.MEDIUM]
    assert told(f"srun {RUN} --recipe qwen3_30b_a3b_sft_config {words}", **ONE) == []


def test_the_last_recipe_counts() -> None:
    line = f"srun {RUN} --recipe {RECIPE} --recipe llama3_8b_pretrain_2gpu_h100_bf16_config"
    assert told(line, **ONE) == []


def test_each_known_recipe_says_its_number_in_its_name_or_none() -> None:
    numbers = {name: find_recipe(name) for name in recipe_names()}
    told_otherwise = {
        name
        for name, recipe in numbers.items()
        if recipe is not None and gpus_in_name(name) not in (None, recipe.layout.get(Quantity.WORLD_SIZE))
    }
    assert len(numbers) > 700 and not told_otherwise
    assert sum(gpus_in_name(name) is not None for name in numbers) > 700


def test_more_but_no_multiple_is_a_doubt() -> None:
    found = told(f"srun {RUN} --recipe {RECIPE}", **{**ONE, "nodes": 3})
    assert found == [("the recipe is made for 16 GPUs and is started on 24", Confidence.MEDIUM)]


def test_an_own_layout_is_a_doubt() -> None:
    line = f"srun {RUN} --recipe {RECIPE} model.expert_model_parallel_size=8"
    assert [confidence for _, confidence in told(line, **ONE)] == [Confidence.MEDIUM]


@pytest.mark.parametrize(
    "body",
    [
        [f"srun {RUN} --recipe {RECIPE} --dry-run"],
        [f"srun {RUN} --recipe $RECIPE"],
        [f"srun python other.py --recipe {RECIPE}"],
        [f"srun -N$N --ntasks-per-node=8 {RUN} --recipe {RECIPE}"],
    ],
)
def test_what_is_not_known_is_left_alone(body: list[str]) -> None:
    assert told(*body, **ONE) == []


def test_the_help_names_the_nodes() -> None:
    (found,) = findings(job(f"srun {RUN} --recipe {RECIPE}", **ONE), CODE)
    assert found.help == "set the number of nodes to 2, or take a recipe for 8 GPUs"


@pytest.mark.parametrize(("nodes", "number"), [(2, 0), (4, 0), (1, 1), (3, 1)])
def test_a_two_phase_script_of_a_recipe(nodes: int, number: int) -> None:
    script = job(
        "set -euo pipefail",
        "CONTAINER=(",
        "  --container-image=/shared/images/nemo.sqsh",
        "  --container-mounts=/shared:/shared,/shared/src/Megatron-Bridge:/opt/Megatron-Bridge",
        "  --container-workdir=/opt/Megatron-Bridge --no-container-mount-home",
        ")",
        'srun --nodes=1 --ntasks=1 --ntasks-per-node=1 "${CONTAINER[@]}" uv sync',
        'srun --kill-on-bad-exit=1 "${CONTAINER[@]}" \\',
        """  bash -c 'uv sync && exec uv run --no-sync python "$@"' bash \\""",
        f"  scripts/training/run_recipe.py --recipe {RECIPE} --mode pretrain",
        **{**ONE, "nodes": nodes},
    )
    assert len(findings(script, CODE)) == number
