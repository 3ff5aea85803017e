"""How a model's layers are shared out to the stages of a pipeline."""

from __future__ import annotations

from sbatchlint.training.constraints.base import Constraint, Numbers
from sbatchlint.training.constraints.sources import (
    ARGUMENTS,
    PARALLEL_STATE,
    TRANSFORMER_BLOCK,
    TRANSFORMER_CONFIG,
)
from sbatchlint.training.dialects import Quantity

_ENDS = (Quantity.FIRST_STAGE_LAYERS, Quantity.LAST_STAGE_LAYERS)
_COUNTED_AS = {Quantity.EMBEDDING_IN_SPLIT: "embedding", Quantity.LOSS_IN_SPLIT: "loss"}
_COUNTED = tuple(_COUNTED_AS)
_BY_LAYOUT = (Quantity.LAYOUT, Quantity.HYBRID_PATTERN)


def _layers(numbers: Numbers) -> tuple[int, str]:
    """The layers that are shared out, and how they are told: embedding and loss may count as one each."""
    layers = numbers[Quantity.LAYERS]
    extra = [what for quantity, what in _COUNTED_AS.items() if numbers.get(quantity)]
    return layers + len(extra), " + ".join([f"{layers} layers", *extra])


def _even(numbers: Numbers) -> str | None:
    layers, told = _layers(numbers)
    pp = numbers[Quantity.PP]
    return f"{told} can't be shared out evenly to PP {pp}" if layers % pp else None


def _uneven(numbers: Numbers) -> str | None:
    ends = [numbers[quantity] for quantity in _ENDS if quantity in numbers]
    pp, layers = numbers[Quantity.PP], numbers[Quantity.LAYERS]
    if not ends:
        return None
    left, stages = layers - sum(ends), pp - len(ends)
    # Megatron takes more layers at the ends than there are, and builds stages without any.
    if stages > 0 and left > 0 and left % stages == 0:
        return None
    if stages == 0 and left == 0:
        return None
    given = " and ".join(map(str, ends))
    if stages < 0:
        return f"the first and the last stage have {given} layers of their own, but there is one stage (PP 1)"
    if stages == 0:
        which = "only stage has" if pp == 1 else "first and the last stage have"
        return f"the {which} {given} of the {layers} layers, and there is no other stage (PP {pp})"
    return (
        f"{left} of the {layers} layers are left beside {given} at the ends, and can't be shared out evenly "
        f"to the other {stages} stages of PP {pp}"
    )


def _ends_counted(numbers: Numbers) -> str | None:
    ends = [quantity.symbol for quantity in _ENDS if quantity in numbers]
    counted = [quantity.symbol for quantity in _COUNTED if numbers.get(quantity)]
    if not ends or not counted:
        return None
    return f"{' and '.join(ends)} can't be given together with {' and '.join(counted)}"


def _uneven_chunks(numbers: Numbers) -> str | None:
    """What Megatron asks of the first, the last and the middle stages, where the ends are given."""
    ends = [quantity for quantity in _ENDS if quantity in numbers]
    pp, vpp = numbers[Quantity.PP], numbers[Quantity.VPP]
    if not ends:
        return None
    stages = {quantity.symbol.split()[0]: numbers[quantity] for quantity in ends}
    if pp > len(ends) and _uneven(numbers) is None:
        left = numbers[Quantity.LAYERS] - sum(stages.values())
        stages["middle"] = left // (pp - len(ends))
    for which, layers in stages.items():
        if layers % vpp:
            told = "1 layer" if layers == 1 else f"{layers} layers"
            return f"the {told} of a {which} stage can't be shared out to VPP {vpp}"
    return None


def _chunks(numbers: Numbers) -> str | None:
    vpp, pp = numbers[Quantity.VPP], numbers[Quantity.PP]
    layers, told = _layers(numbers)
    if vpp == 1 or pp == 1 or layers % pp or layers // pp % vpp == 0:
        return None
    return f"the {layers // pp} layers of a stage ({told}, PP {pp}) can't be shared out to VPP {vpp}"


def _chunk_layers(numbers: Numbers) -> str | None:
    each, pp = numbers[Quantity.VIRTUAL_STAGE_LAYERS], numbers[Quantity.PP]
    layers, told = _layers(numbers)
    if layers % pp:
        return f"{told} can't be shared out evenly to PP {pp}"
    if layers // pp % each:
        of_stage = f"the {layers // pp} layers of a stage ({told}, PP {pp})"
        return f"{of_stage} are no multiple of {each} a virtual stage"
    if pp == 1 and layers > each:
        return f"VPP {layers // each}, for {told} and {each} a virtual stage, without a pipeline (PP 1)"
    return None


def _interleaved(numbers: Numbers) -> str | None:
    vpp, pp = numbers[Quantity.VPP], numbers[Quantity.PP]
    return f"VPP {vpp} without a pipeline (PP 1)" if vpp > 1 and pp == 1 else None


EVEN_STAGES = Constraint(
    "layers-pp",
    needs=(Quantity.LAYERS, Quantity.PP),
    optional=_COUNTED,
    without=(*_BY_LAYOUT, *_ENDS, Quantity.VIRTUAL_STAGE_LAYERS),
    broken=_even,
    says="num_layers=N should be divisible by config.pipeline_model_parallel_size=PP",
    source=TRANSFORMER_BLOCK,
    mends=(Quantity.PP,),
)
UNEVEN_STAGES = Constraint(
    "layers-uneven-pp",
    needs=(Quantity.LAYERS, Quantity.PP),
    optional=_ENDS,
    without=_BY_LAYOUT,
    broken=_uneven,
    says="number of layers at middle stage: N must be divisible by",
    source=TRANSFORMER_CONFIG,
    mends=(*_ENDS, Quantity.PP),
)
ENDS_COUNTED = Constraint(
    "layers-uneven-counted",
    needs=(Quantity.PP,),
    optional=(*_ENDS, *_COUNTED),
    without=_BY_LAYOUT,
    broken=_ends_counted,
    says="num_layers_in_first_pipeline_stage and num_layers_in_last_pipeline_stage cannot be",
    source=TRANSFORMER_CONFIG,
    mends=(*_ENDS, *_COUNTED),
)
UNEVEN_CHUNKS = Constraint(
    "layers-uneven-vpp",
    needs=(Quantity.LAYERS, Quantity.PP, Quantity.VPP),
    optional=_ENDS,
    without=_BY_LAYOUT,
    broken=_uneven_chunks,
    says="",  # in other words for the first, the last and the middle stages
    source=TRANSFORMER_CONFIG,
    mends=(Quantity.VPP, *_ENDS),
)
CHUNKS = Constraint(
    "layers-vpp",
    needs=(Quantity.LAYERS, Quantity.PP, Quantity.VPP),
    optional=_COUNTED,
    without=(*_BY_LAYOUT, *_ENDS),
    broken=_chunks,
    says="num_layers_per_pipeline_rank N should be divisible by vp_size VPP",
    source=TRANSFORMER_BLOCK,
    mends=(Quantity.VPP,),
)
CHUNK_LAYERS = Constraint(
    "layers-virtual-stage",
    needs=(Quantity.LAYERS, Quantity.PP, Quantity.VIRTUAL_STAGE_LAYERS),
    optional=_COUNTED,
    without=_BY_LAYOUT,
    broken=_chunk_layers,
    says="number of layers per pipeline stage must be divisible number of layers per virtual pipeline stage",
    source=ARGUMENTS,
    mends=(Quantity.VIRTUAL_STAGE_LAYERS, Quantity.PP),
)
INTERLEAVED = Constraint(
    "vpp-needs-pp",
    needs=(Quantity.VPP, Quantity.PP),
    without=_BY_LAYOUT,
    broken=_interleaved,
    says="pipeline-model-parallel size should be greater than 1 with interleaved schedule",
    source=PARALLEL_STATE,
    mends=(Quantity.PP, Quantity.VPP),
)
