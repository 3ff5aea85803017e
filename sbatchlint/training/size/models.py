"""Known models, and the layouts of Megatron-Bridge's recipes.

The facts stand in ``data/models.json`` and ``data/recipes.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from sbatchlint.digits import whole_number
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.size.architecture import Architecture, Latent

RECIPES_REVISION = "067f987d"
"""The commit of NVIDIA-NeMo/Megatron-Bridge that the recipes were read from."""
_DATA = Path(__file__).parents[1] / "data"
_LAYOUT = {
    "gpus": Quantity.WORLD_SIZE, "tp": Quantity.TP, "pp": Quantity.PP, "vpp": Quantity.VPP, "cp": Quantity.CP,
    "ep": Quantity.EP, "etp": Quantity.ETP, "sp": Quantity.SP, "seq": Quantity.SEQ_LENGTH,
    "gbs": Quantity.GBS, "mbs": Quantity.MBS,
}  # fmt: skip


_MADE_FOR = regex(
    r"\w+_(?:pretrain|sft|peft)_(?:\w+_)?(?P<gpus>[1-9]\d*)gpu_[a-z0-9]+_"
    r"(?:bf16|fp8cs|fp8ds|fp8mx|fp8sc|nvfp4)(?:_[a-z0-9_]+)?_config",
    re.A,
)
"""How Megatron-Bridge names a recipe that was made for a number of GPUs."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model whose shape is known."""

    name: str
    hf_ids: tuple[str, ...]
    """Its names on the model hub."""
    recipes: tuple[str, ...]
    """What the names of its recipes match, as regular expressions."""
    architecture: Architecture
    sources: tuple[str, ...]
    uncertain: tuple[str, ...]
    """What the number of parameters leaves open."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One recipe of Megatron-Bridge (@067f987d)."""

    name: str
    layout: Mapping[Quantity, int]
    """The numbers that its own function sets; with the GPUs that it is meant for as WORLD_SIZE."""
    hardware: str
    """``h100``; empty where its name does not tell."""
    hf_id: str
    source: str


@cache
def models() -> tuple[Model, ...]:
    """All known models."""
    rows = json.loads((_DATA / "models.json").read_text(encoding="utf-8"))["models"]
    return tuple(_model(row) for row in rows)


def _model(row: Mapping[str, Any]) -> Model:
    sizes = {one.name: row[one.name] for one in fields(Architecture) if one.name in row and one.name != "mla"}
    latent = Latent(*row["mla"]) if "mla" in row else None
    return Model(
        row["id"],
        tuple(row["hf_ids"]),
        tuple(row["recipes"]),
        Architecture(mla=latent, **sizes),
        tuple(row["sources"]),
        tuple(row.get("uncertain", ())),
    )


@cache
def _recipes() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((_DATA / "recipes.json").read_text(encoding="utf-8"))
    return data


@cache
def recipe_names() -> tuple[str, ...]:
    """The names of all recipes, aliases not among them."""
    return tuple(_recipes()["recipes"])


def find_recipe(name: str) -> Recipe | None:
    """Return the recipe called *name*, or that it is an alias of; None where there is none."""
    data = _recipes()
    name = data["aliases"].get(name, name)
    row = data["recipes"].get(name)
    if row is None:
        return None
    layout = {quantity: int(row[key]) for key, quantity in _LAYOUT.items() if row.get(key) is not None}
    layout[Quantity.LAYOUT] = 1  # it may write its stages one by one; that is not in the facts
    return Recipe(name, layout, row.get("hw", ""), row.get("hf", ""), row["source"])


def gpus_in_name(name: str) -> int | None:
    """Return the number of GPUs that the name of a recipe carries, be the recipe known or not."""
    match = _MADE_FOR.fullmatch(name)
    return whole_number(match["gpus"]) if match else None


def find_model(name: str) -> Model | None:
    """Return the model called *name*: by its own name, its name on the hub, or that of a recipe.

    Capitals do not count, nor does the owner on the hub; None where none or more than one is meant.
    """
    wanted = name.lower().strip("/")
    recipe = find_recipe(name)
    if recipe is not None:
        return _of_recipe(recipe)
    found = [one for one in models() if wanted in _names(one)]
    return found[0] if len(found) == 1 else None


def _names(model: Model) -> set[str]:
    hub = {hf_id.lower() for hf_id in model.hf_ids}
    return {model.name, *hub, *(hf_id.partition("/")[2] for hf_id in hub)}


def _of_recipe(recipe: Recipe) -> Model | None:
    by_hub = [one for one in models() if recipe.hf_id.lower() in _names(one)] if recipe.hf_id else []
    by_name = [one for one in models() if any(re.search(pattern, recipe.name) for pattern in one.recipes)]
    found = by_hub or by_name
    return found[0] if len(found) == 1 else None
