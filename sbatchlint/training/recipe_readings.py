"""What the recipe of a Megatron-Bridge run sets, where its command line does not.

The numbers are those of one revision of Megatron-Bridge (``data/recipes.json``); a checkout of another may
have others, so all of them are assumed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Arg, Program
from sbatchlint.records import dataclass
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import Framework, FrameworkName
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.size.models import Recipe, find_recipe, gpus_in_name

_LEFT_OUT = (Quantity.WORLD_SIZE, Quantity.LAYOUT, Quantity.GBS, Quantity.MBS)
"""A world is as large as it is started, benchmark runs scale their batches with it (``run_recipe.py``,
``_apply_benchmark_weak_scaling``), and that a recipe may have a layout is no number."""


@dataclass(frozen=True, slots=True)
class NamedRecipe:
    """A recipe, and the word of a command line that names it."""

    recipe: Recipe
    word: Arg


@dataclass(frozen=True, slots=True)
class RecipeGpus:
    """How many GPUs the recipe of a run was made for, and the word that names it."""

    gpus: int
    word: Arg
    alias_of: str
    """The recipe that an alias stands for, in one revision of Megatron-Bridge; empty for no alias."""


def named_recipe(program: Program, framework: Framework) -> NamedRecipe | None:
    """Return the recipe that *program* is given (``--recipe NAME``); None where none is known."""
    name, word = _name_of_recipe(program, framework)
    recipe = find_recipe(name)
    return NamedRecipe(recipe, word) if recipe is not None and word is not None else None


def recipe_gpus(program: Program, framework: Framework) -> RecipeGpus | None:
    """Return the GPUs of the recipe that *program* is given: as its name says, or its alias stands for."""
    name, word = _name_of_recipe(program, framework)
    gpus = gpus_in_name(name)
    if word is None or gpus is not None:
        return None if word is None or gpus is None else RecipeGpus(gpus, word, "")
    recipe = find_recipe(name)
    gpus = None if recipe is None else recipe.layout.get(Quantity.WORLD_SIZE)
    if recipe is None or not gpus or recipe.name == name:
        return None
    return RecipeGpus(gpus, word, recipe.name)


def _name_of_recipe(program: Program, framework: Framework) -> tuple[str, Arg | None]:
    if framework.name is not FrameworkName.MEGATRON_BRIDGE:
        return "", None
    return last_value(program.arguments, ("--recipe",))


def last_value(arguments: Sequence[Arg], options: Collection[str]) -> tuple[str, Arg | None]:
    """Return the value of the last of *options* among *arguments*, and the word that holds it.

    The value is empty where it is not known, the word None where there is none.
    """
    found: tuple[str, Arg | None] = "", None
    for index, argument in enumerate(arguments):
        option, glued, value = (argument.text or "").partition("=")
        if option in options:
            word = argument if glued else next(iter(arguments[index + 1 : index + 2]), None)
            found = value if glued else (word.text or "") if word is not None else "", word
    return found


def with_recipe(quantities: Quantities, named: NamedRecipe | None) -> Quantities:
    """Return *quantities* with what the recipe says of those that nothing is known of."""
    if named is None:
        return quantities
    layout = {q: size for q, size in named.recipe.layout.items() if q not in _LEFT_OUT and size}
    if layout.get(Quantity.EP, 1) > 1:
        layout.setdefault(Quantity.ETP, 1)  # models/transformer_config.py
    readings = {
        quantity: Reading(
            quantity, (size,), Certainty.ASSUMED, span=named.word.place, recipe=named.recipe.name
        )
        for quantity, size in layout.items()
    }
    return quantities.filled(readings)
