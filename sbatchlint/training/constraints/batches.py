"""How a batch, and a sequence, is shared out."""

from __future__ import annotations

from sbatchlint.training.constraints.base import Constraint, Numbers, times
from sbatchlint.training.constraints.grids import DENSE, EXPERT
from sbatchlint.training.constraints.sources import ARGUMENTS, CALCULATOR, PARALLEL_STATE, SCHEDULES
from sbatchlint.training.dialects import Quantity

_ROUNDED = (Quantity.RAMPUP, Quantity.DECREASE_BATCH)


def data_parallel(numbers: Numbers) -> int | None:
    """Return DP, the copies of the dense model; None where the ranks can't be laid out."""
    return _copies(numbers, DENSE)


def expert_data_parallel(numbers: Numbers) -> int | None:
    """Return EDP, the copies of each expert; None where the ranks can't be laid out."""
    return _copies(numbers, EXPERT)


def _copies(numbers: Numbers, factors: tuple[Quantity, ...]) -> int | None:
    ranks, size = numbers[Quantity.WORLD_SIZE], times(numbers, *factors)
    return None if ranks % size else ranks // size


def microbatches(numbers: Numbers) -> int | None:
    """Return the microbatches of each copy of the model in a step; None where GBS can't be shared out.

    A batch that may be decreased loses what is over.
    """
    dp = data_parallel(numbers)
    if dp is None or Quantity.GBS not in numbers or Quantity.MBS not in numbers:
        return None
    count, rest = divmod(numbers[Quantity.GBS], numbers[Quantity.MBS] * dp)
    return None if (rest and not numbers.get(Quantity.DECREASE_BATCH)) or not count else count


def _global_batch(numbers: Numbers) -> str | None:
    return _batch(numbers, Quantity.GBS, Quantity.MBS)


def _least_batch(numbers: Numbers) -> str | None:
    dp, mbs = data_parallel(numbers), numbers.get(Quantity.MBS, 1)
    if dp is None or not numbers[Quantity.DECREASE_BATCH] or numbers[Quantity.GBS] >= dp * mbs:
        return None
    return f"GBS {numbers[Quantity.GBS]} is less than one microbatch, MBS {mbs}, for each of DP {dp}"


def _evaluation_batch(numbers: Numbers) -> str | None:
    if Quantity.EVAL_GBS not in numbers and Quantity.EVAL_MBS not in numbers:
        return None
    pairs = ((Quantity.EVAL_GBS, Quantity.GBS), (Quantity.EVAL_MBS, Quantity.MBS))
    whole, micro = (one if one in numbers else other for one, other in pairs)
    return _batch(numbers, whole, micro) if whole in numbers and micro in numbers else None


def _batch(numbers: Numbers, whole: Quantity, micro: Quantity) -> str | None:
    dp = data_parallel(numbers)
    if dp is None or numbers[whole] % (dp * numbers.get(micro, 1)) == 0:
        return None
    told = f"DP {dp}"
    if micro in numbers:
        told = f"{micro.symbol} {numbers[micro]} x DP {dp} = {numbers[micro] * dp}"
    return f"{whole.symbol} {numbers[whole]} is not divisible by {told}"


def _bubble(numbers: Numbers) -> str | None:
    count, pp = microbatches(numbers), numbers[Quantity.PP]
    if count is None or count >= pp or numbers.get(Quantity.VPP, 1) > 1:
        return None
    idle = f"{pp - 1} of {count + pp - 1} turns stand idle"
    return f"{_counted(count)} for the {pp} stages of the pipeline: {idle}"


def _interleaved(numbers: Numbers) -> str | None:
    count, pp = microbatches(numbers), numbers[Quantity.PP]
    if count is None or numbers[Quantity.VPP] < 2 or pp < 2:
        return None
    group = numbers.get(Quantity.VIRTUAL_STAGE_GROUP, pp)
    if group == pp > count:
        vpp = numbers[Quantity.VPP]
        return f"{_counted(count)}, but VPP {vpp} needs at least one for each of the {pp} stages"
    if not pp <= group <= count:
        return (
            f"groups of {group} microbatches must lie between PP {pp} and the {count} microbatches there are"
        )
    rest = count % group
    return (
        f"{count} microbatches in groups of {group} leave {rest}, fewer than PP {pp}"
        if 0 < rest < pp
        else None
    )


def _counted(count: int) -> str:
    return "1 microbatch" if count == 1 else f"{count} microbatches"


def _sequence(numbers: Numbers) -> str | None:
    length, cp = numbers[Quantity.SEQ_LENGTH], numbers[Quantity.CP]
    if cp == 1 or length % (2 * cp) == 0:
        return None
    return f"sequence length {length} is not divisible by 2 x CP {cp} = {2 * cp}"


def _instances(numbers: Numbers) -> str | None:
    dp, instances = data_parallel(numbers), numbers[Quantity.OPTIMIZER_INSTANCES]
    copies = None if dp is None else dp * numbers[Quantity.CP]
    return _shared(copies, instances, "DP x CP")


def _expert_instances(numbers: Numbers) -> str | None:
    return _shared(expert_data_parallel(numbers), numbers[Quantity.OPTIMIZER_INSTANCES], "EDP")


def _shared(copies: int | None, instances: int, told: str) -> str | None:
    if copies is None or copies % instances == 0:
        return None
    return f"{told} {copies} is not divisible by {instances} instances of the distributed optimizer"


_DIVIDED = (Quantity.WORLD_SIZE, *DENSE)
GLOBAL_BATCH = Constraint(
    "gbs",
    needs=(*_DIVIDED, Quantity.GBS),
    factors=(Quantity.MBS,),
    without=_ROUNDED,
    broken=_global_batch,
    says="global batch size (GBS) is not divisible by micro batch size (MBS) times data parallel size (DP)",
    source=CALCULATOR,
    mends=(Quantity.GBS, Quantity.MBS),
)
LEAST_BATCH = Constraint(
    "gbs-least",
    needs=(*_DIVIDED, Quantity.GBS, Quantity.DECREASE_BATCH),
    factors=(Quantity.MBS,),
    without=(Quantity.RAMPUP,),
    broken=_least_batch,
    says="number of microbatches should be at least 1, got 0.",
    source=CALCULATOR,
    mends=(Quantity.GBS, Quantity.MBS),
)
EVALUATION_BATCH = Constraint(
    "eval-gbs",
    needs=_DIVIDED,
    optional=(Quantity.EVAL_GBS, Quantity.EVAL_MBS, Quantity.GBS, Quantity.MBS),
    broken=_evaluation_batch,
    says="eval_global_batch_size (GBS) must be divisible by eval_micro_batch_size (MBS) * data_parallel_size",
    source=ARGUMENTS,
    mends=(Quantity.EVAL_GBS, Quantity.EVAL_MBS),
)
BUBBLE = Constraint(
    "microbatches-pp",
    needs=(*_DIVIDED, Quantity.GBS, Quantity.MBS),
    optional=(Quantity.VPP, Quantity.DECREASE_BATCH),
    without=(Quantity.RAMPUP,),
    broken=_bubble,
    says="",
    source=SCHEDULES,
    mends=(Quantity.GBS, Quantity.PP),
)
INTERLEAVED_BATCH = Constraint(
    "microbatches-vpp",
    needs=(*_DIVIDED, Quantity.GBS, Quantity.MBS, Quantity.VPP),
    optional=(Quantity.VIRTUAL_STAGE_GROUP, Quantity.DECREASE_BATCH),
    without=(Quantity.RAMPUP,),
    broken=_interleaved,
    says="The number of contiguous micro-batches in a virtual pipeline stage",
    source=SCHEDULES,
    mends=(Quantity.GBS,),
)
SEQUENCE = Constraint(
    "seq-cp",
    needs=(Quantity.SEQ_LENGTH, Quantity.CP),
    broken=_sequence,
    says="seq-length should be a multiple of 2 * context-parallel-size if context-parallel-size > 1.",
    source=ARGUMENTS,
    mends=(Quantity.SEQ_LENGTH, Quantity.CP),
)
INSTANCES = Constraint(
    "optimizer-instances",
    needs=(*_DIVIDED, Quantity.OPTIMIZER_INSTANCES),
    broken=_instances,
    says="Data parallel size should be divisible by partial DistOpt shard factor",
    source=PARALLEL_STATE,
    mends=(Quantity.OPTIMIZER_INSTANCES,),
)
EXPERT_INSTANCES = Constraint(
    "optimizer-instances-experts",
    needs=(Quantity.WORLD_SIZE, *EXPERT, Quantity.OPTIMIZER_INSTANCES),
    broken=_expert_instances,
    says="Expert data parallel size should be divisible by partial DistOpt shard factor",
    source=PARALLEL_STATE,
    mends=(Quantity.OPTIMIZER_INSTANCES,),
)
