"""The two grids of ranks that Megatron-Core lays over one world.

The dense grid needs a multiple of TP x PP x CP ranks, that of the experts a multiple of ETP x EP x PP.
A factor that is not known is a whole number all the same, so ranks that the known factors do not divide
are wrong whatever it is.
"""

from __future__ import annotations

from sbatchlint.training.constraints.base import Constraint, Numbers, spelled, times
from sbatchlint.training.constraints.sources import PARALLEL_STATE
from sbatchlint.training.dialects import Quantity

DENSE = (Quantity.TP, Quantity.PP, Quantity.CP)
EXPERT = (Quantity.ETP, Quantity.EP, Quantity.PP)
_WORLD = Quantity.WORLD_SIZE


def _dense(numbers: Numbers) -> str | None:
    return _grid(numbers, DENSE)


def _expert(numbers: Numbers) -> str | None:
    return _grid(numbers, EXPERT)


def _grid(numbers: Numbers, factors: tuple[Quantity, ...]) -> str | None:
    ranks = numbers[_WORLD]
    if ranks % times(numbers, *factors) == 0:
        return None
    return f"world size {ranks} is not divisible by {spelled(numbers, *factors)}"


def _pipeline_first(numbers: Numbers) -> str | None:
    dp, edp = (numbers[_WORLD] // times(numbers, *factors) for factors in (DENSE, EXPERT))
    if not numbers[Quantity.DP_AFTER_PP] or numbers[Quantity.PP] == 1 or dp == edp:
        return None
    return (
        f"ranks numbered TP, PP, DP need as many copies of the experts (EDP {edp}) as of the rest (DP {dp})"
    )


DENSE_GRID = Constraint(
    "dense-grid",
    needs=(_WORLD,),
    factors=DENSE,
    broken=_dense,
    says="world size (W) is not divisible by total_model_size (total_model_size=N)",
    source=PARALLEL_STATE,
    mends=(_WORLD, *DENSE),
)
EXPERT_GRID = Constraint(
    "expert-grid",
    needs=(_WORLD,),
    factors=EXPERT,
    broken=_expert,
    says="world_size (W) is not divisible by expert_tensor_model_pipeline_parallel size (N)",
    source=PARALLEL_STATE,
    mends=(_WORLD, *EXPERT),
)
PIPELINE_FIRST = Constraint(
    "dp-after-pp",
    needs=(_WORLD, Quantity.DP_AFTER_PP, *DENSE, Quantity.ETP, Quantity.EP),
    broken=_pipeline_first,
    says="When not using pp-last rank ordering, the data parallel size of the attention and moe layers",
    source=PARALLEL_STATE,
    mends=(Quantity.EP, Quantity.ETP),
)
