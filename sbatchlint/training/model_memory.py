"""What a run of a known model needs of each GPU at least."""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import Arg
from sbatchlint.records import dataclass
from sbatchlint.training.constraints.base import Numbers
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.frameworks import FrameworkName
from sbatchlint.training.recipe_readings import last_value, named_recipe
from sbatchlint.training.runs import TrainingRun
from sbatchlint.training.size.fitting import shape_numbers
from sbatchlint.training.size.memory import GPU_MEMORY, Load, Memory, Mode, memory_of
from sbatchlint.training.size.models import Model, find_model

_MODEL_OPTIONS = ("--hf-model", "--hf-model-id", "--hf_model_id", "--hf-model-path", "--hf_model_path")
_WITH_WEIGHTS = ("scripts/conversion/", "scripts/inference/", "examples/conversion/")
"""Scripts of Megatron-Bridge that load a whole model and train nothing."""
_LAYOUT = (Quantity.WORLD_SIZE, Quantity.TP, Quantity.PP, Quantity.EP, Quantity.ETP)


@dataclass(frozen=True, slots=True)
class NeededMemory:
    """What the fullest rank of a run holds for sure."""

    model: Model
    word: Arg
    """Which names the model or the recipe."""
    numbers: Numbers
    memory: Memory
    """Weights; in training also gradients and the optimizer.  No activations, and no cache."""
    mode: Mode
    certainty: Certainty


def needed_memory(run: TrainingRun) -> NeededMemory | None:
    """Return what *run* needs; None where model or layout are not known, or the ranks can't be laid out."""
    told = _model_and_mode(run)
    layout = run.layout
    readings = [layout[quantity] for quantity in _LAYOUT]
    values = {one.quantity: one.value for one in readings if one.value is not None}
    if told is None or len(values) < len(_LAYOUT):
        return None
    model, word, mode = told
    numbers = {**shape_numbers(model.architecture), **values, Quantity.CP: layout[Quantity.CP].value or 1}
    load = Load(mode if mode.trains_all else Mode.ROUNDTRIP, seq_length=1)
    try:
        memory = memory_of(model.architecture, numbers, load)
    except ValueError:
        return None
    certainty = max(one.certainty for one in readings)
    return NeededMemory(model, word, numbers, Memory(memory.state, memory.experts), mode, certainty)


def _model_and_mode(run: TrainingRun) -> tuple[Model, Arg, Mode] | None:
    if run.framework.name is not FrameworkName.MEGATRON_BRIDGE:
        return None
    recipe = named_recipe(run.program, run.framework)
    if recipe is not None:
        model = find_model(recipe.recipe.name)
        trained = "_peft_" not in recipe.recipe.name
        return None if model is None else (model, recipe.word, Mode.PRETRAIN if trained else Mode.LORA)
    if not run.framework.script.startswith(_WITH_WEIGHTS):
        return None
    name, word = last_value(run.program.arguments, _MODEL_OPTIONS)
    model = find_model(name)
    return None if model is None or word is None else (model, word, Mode.INFERENCE)


def gpu_memory(gpu_type: str) -> tuple[str, int] | None:
    """Return the GPU that a cluster calls *gpu_type* (``nvidia_h100_80gb_hbm3``), and its memory in GB.

    Of a GPU that is sold with several, the largest; None for a name that is not known.
    """
    names = [name for name in GPU_MEMORY if "-" not in name and name in gpu_type.lower()]
    longest = max(names, key=len, default=None)
    return None if longest is None else (longest, GPU_MEMORY[longest])


LARGEST_GPU = max(GPU_MEMORY.values())
"""GB of the largest GPU that there is."""
