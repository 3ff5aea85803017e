"""Models and recipes are found by their names, and all of them are whole."""

from __future__ import annotations

import pytest

from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.models import find_model, find_recipe, models, recipe_names


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("minimax-m2", "minimax-m2"),
        ("MiniMaxAI/MiniMax-M2", "minimax-m2"),
        ("MiniMax-M2.5", "minimax-m2"),
        ("Qwen/Qwen3-30B-A3B", "qwen3-30b-a3b"),
        ("qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config", "qwen3-30b-a3b"),
        ("deepseek_v3_pretrain_config", "deepseek-v3"),
        ("llama31_405b_pretrain_config", "llama31-405b"),
        ("GPT-5", None),
        ("", None),
    ],
)
def test_names(name: str, model: str | None) -> None:
    found = find_model(name)
    assert (found.name if found is not None else None) == model


def test_every_model_has_a_name_of_its_own_and_is_found_by_each_of_them() -> None:
    for model in models():
        for name in (model.name, *model.hf_ids):
            assert find_model(name) is model, name


def test_an_alias_leads_to_its_recipe() -> None:
    recipe = find_recipe("llama3_8b_pretrain_config")
    assert recipe is not None
    assert recipe.name == "llama3_8b_pretrain_2gpu_h100_bf16_config"
    assert (recipe.layout[Quantity.WORLD_SIZE], recipe.hardware) == (2, "h100")
    assert find_recipe("nothing_config") is None


def test_a_recipe_is_of_one_model_at_most_and_its_numbers_are_positive() -> None:
    known = [name for name in recipe_names() if find_model(name) is not None]
    assert len(known) > 400
    for name in recipe_names():
        recipe = find_recipe(name)
        assert recipe is not None
        assert recipe.name == name, "an alias is no recipe"
        assert any(task in name for task in ("_pretrain_", "_sft_", "_peft_")), name
        assert all(size > 0 for quantity, size in recipe.layout.items() if quantity is not Quantity.SP)
