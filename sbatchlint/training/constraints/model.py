"""How a model's heads and experts are shared out."""

from __future__ import annotations

from sbatchlint.training.constraints.base import Constraint, Numbers, spelled, times
from sbatchlint.training.constraints.sources import (
    ARGUMENTS,
    MODEL_PARALLEL_CONFIG,
    MOE_LAYER,
    TRANSFORMER_CONFIG,
)
from sbatchlint.training.dialects import Quantity


def _heads(numbers: Numbers) -> str | None:
    heads, tp = numbers[Quantity.HEADS], numbers[Quantity.TP]
    return f"{heads} attention heads can't be shared out to TP {tp}" if heads % tp else None


def _groups(numbers: Numbers) -> str | None:
    groups, tp = numbers[Quantity.GROUPS], numbers[Quantity.TP]
    if groups % tp == 0 or tp % groups == 0:
        return None
    return f"{groups} query groups are neither a multiple nor a divisor of TP {tp}"


def _head_size(numbers: Numbers) -> str | None:
    hidden, heads = numbers[Quantity.HIDDEN_SIZE], numbers[Quantity.HEADS]
    return f"hidden size {hidden} can't be shared out to {heads} attention heads" if hidden % heads else None


def _linear_keys(numbers: Numbers) -> str | None:
    return _linear_heads(numbers, Quantity.LINEAR_KEY_HEADS)


def _linear_values(numbers: Numbers) -> str | None:
    return _linear_heads(numbers, Quantity.LINEAR_VALUE_HEADS)


def _linear_heads(numbers: Numbers, heads: Quantity) -> str | None:
    shared = [one for one in (Quantity.TP, Quantity.CP) if numbers.get(one, 1) > 1]
    if numbers[heads] % times(numbers, *shared) == 0:
        return None
    return f"{numbers[heads]} {heads.symbol} can't be shared out to {spelled(numbers, *shared)}"


def _experts(numbers: Numbers) -> str | None:
    experts, ep = numbers[Quantity.EXPERTS], numbers[Quantity.EP]
    return f"{experts} experts can't be shared out to EP {ep}" if experts % ep else None


def _experts_missing(numbers: Numbers) -> str | None:
    ep = numbers[Quantity.EP]
    return f"EP {ep} without experts" if ep > 1 and not numbers.get(Quantity.EXPERTS) else None


def _sequence_parallel(numbers: Numbers) -> str | None:
    alone = numbers[Quantity.SP] and numbers[Quantity.TP] == 1
    return "sequence parallelism with TP 1" if alone else None


def _moe_sequence_parallel(numbers: Numbers) -> str | None:
    tp, experts = numbers[Quantity.TP], numbers[Quantity.EXPERTS]
    if tp == 1 or not experts or numbers.get(Quantity.SP):
        return None
    return f"a model with {experts} experts and TP {tp} is trained without sequence parallelism"


HEADS = Constraint(
    "heads-tp",
    needs=(Quantity.HEADS, Quantity.TP),
    broken=_heads,
    says="num_attention_heads (N) must be a multiple of tensor_model_parallel_size (TP)",
    source=TRANSFORMER_CONFIG,
    mends=(Quantity.TP,),
)
GROUPS = Constraint(
    "groups-tp",
    needs=(Quantity.GROUPS, Quantity.TP, Quantity.GROUPED),
    broken=_groups,
    says="num_query_groups (N) must be a multiple or divisor of tensor_model_parallel_size (TP)",
    source=TRANSFORMER_CONFIG,
    mends=(Quantity.TP,),
)
HEAD_SIZE = Constraint(
    "head-size",
    needs=(Quantity.HIDDEN_SIZE, Quantity.HEADS),
    without=(Quantity.HEAD_DIM,),
    broken=_head_size,
    says="assert args.hidden_size % args.num_attention_heads == 0",
    source=ARGUMENTS,
    mends=(Quantity.HEADS,),
)
LINEAR_KEYS = Constraint(
    "linear-keys-tp",
    needs=(Quantity.LINEAR_KEY_HEADS,),
    factors=(Quantity.TP, Quantity.CP),
    broken=_linear_keys,
    says="",  # it shows the names of its own variables
    source=TRANSFORMER_CONFIG,
    mends=(Quantity.TP, Quantity.CP),
)
LINEAR_VALUES = Constraint(
    "linear-values-tp",
    needs=(Quantity.LINEAR_VALUE_HEADS,),
    factors=(Quantity.TP, Quantity.CP),
    broken=_linear_values,
    says="",  # it shows the names of its own variables
    source=TRANSFORMER_CONFIG,
    mends=(Quantity.TP, Quantity.CP),
)
EXPERTS = Constraint(
    "experts-ep",
    needs=(Quantity.EXPERTS, Quantity.EP),
    broken=_experts,
    says="Number of experts should be a multiple of expert model parallel_size.",
    source=ARGUMENTS,
    mends=(Quantity.EP,),
)
EXPERTS_MISSING = Constraint(
    "experts-missing",
    needs=(Quantity.EP,),
    optional=(Quantity.EXPERTS,),
    broken=_experts_missing,
    says="num_moe_experts must be non None to use expert-parallel.",
    source=TRANSFORMER_CONFIG,
    mends=(Quantity.EP,),
)
SEQUENCE_PARALLEL = Constraint(
    "sp-needs-tp",
    needs=(Quantity.SP, Quantity.TP),
    broken=_sequence_parallel,
    says="Cannot use sequence parallelism without tensor parallelism",
    source=MODEL_PARALLEL_CONFIG,
    mends=(Quantity.SP,),
)
MOE_SEQUENCE_PARALLEL = Constraint(
    "moe-needs-sp",
    needs=(Quantity.TP, Quantity.EXPERTS),
    optional=(Quantity.SP,),
    broken=_moe_sequence_parallel,
    says="During training, performance may degrade if MoE and tensor parallelism",
    source=MOE_LAYER,
    mends=(Quantity.SP,),
)
