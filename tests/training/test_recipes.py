"""The recipes of Megatron-Bridge, judged by their own numbers; ``docs/recipes.md`` has the verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.training.constraints import CONSTRAINTS
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.fitting import shape_numbers
from sbatchlint.training.size.models import Recipe, find_model, find_recipe, recipe_names

PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"
Q = Quantity
_SHOWN = (Q.WORLD_SIZE, Q.TP, Q.PP, Q.CP, Q.EP, Q.ETP, Q.GBS, Q.MBS)
_INTRODUCTION = """\
# Recipes of Megatron-Bridge, judged

The layouts of NVIDIA-NeMo/Megatron-Bridge@067f987d, as the functions of its recipes set them, and what the
constraints of `sbatchlint/training/constraints` say of each on the number of GPUs in its name. Only recipes
that tell that number and TP are here. A number that a recipe does not set is taken as Megatron-Bridge has
it: 1, and for ETP 1 with EP greater than 1, else TP. Layers are not judged: a recipe may write its stages
one by one. Nothing was run; what fails here is for a person to check. A test keeps this page as it is.
"""


def told(recipe: Recipe) -> bool:
    return Q.WORLD_SIZE in recipe.layout and Q.TP in recipe.layout


RECIPES = [recipe for name in recipe_names() if (recipe := find_recipe(name)) is not None and told(recipe)]


def numbers(recipe: Recipe) -> dict[Quantity, int]:
    model = find_model(recipe.name)
    shape = shape_numbers(model.architecture) if model is not None else {}
    found = {**dict.fromkeys((Q.PP, Q.CP, Q.EP), 1), **shape, **recipe.layout}
    found.setdefault(Q.ETP, 1 if found[Q.EP] > 1 else found[Q.TP])
    if model is None or not model.architecture.num_experts:
        found[Q.EXPERTS] = found[Q.EP]  # not known: enough for a share each
    found[Q.SP] = int(found[Q.TP] > 1)  # what a recipe does not say of SP, the model's class may
    return found


def faults(recipe: Recipe) -> list[str]:
    checks = (one.check(numbers(recipe)) for one in CONSTRAINTS)
    return [text for text in checks if text is not None]


def page() -> str:
    rows = [(recipe, faults(recipe)) for recipe in RECIPES]
    failing = [(recipe, found) for recipe, found in rows if found]
    lines = [_INTRODUCTION, f"{len(rows)} recipes, {len(failing)} of which do not come out:", ""]
    lines += ["| recipe | what does not come out |", "|---|---|"]
    lines += [f"| {recipe.name} | {'; '.join(found)} |" for recipe, found in failing]
    lines += ["", "## All", "", f"| recipe | {' | '.join(q.symbol for q in _SHOWN)} | verdict |"]
    lines.append("|---" * (len(_SHOWN) + 2) + "|")
    for recipe, found in rows:
        sizes = " | ".join(str(recipe.layout.get(quantity, "")) for quantity in _SHOWN)
        lines.append(f"| {recipe.name} | {sizes} | {'fails' if found else 'right'} |")
    return "\n".join([*lines, ""])


def test_the_page_has_the_verdicts() -> None:
    assert PAGE.read_text("utf-8") == page()


@pytest.mark.parametrize(
    "name",
    [
        "deepseek_v3_pretrain_64gpu_h100_fp8cs_config",
        "qwen3_235b_a22b_pretrain_64gpu_gb200_fp8cs_config",
        "qwen3_235b_a22b_pretrain_64gpu_gb200_fp8mx_config",
    ],
)
def test_worlds_that_are_too_small_for_their_experts(name: str) -> None:
    recipe = find_recipe(name)
    assert recipe is not None
    (text,) = faults(recipe)
    assert text.startswith("world size 64 is not divisible by ETP 1 x EP ")


def test_most_are_right() -> None:
    assert sum(1 for recipe in RECIPES if faults(recipe)) < len(RECIPES) / 20


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
