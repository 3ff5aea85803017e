"""The constraints that Megatron-Core, Megatron-LM and Megatron-Bridge put on a layout.

Pure arithmetic on whole numbers; :mod:`sbatchlint.training.violations` asks what a script tells of them.
``tests/megatron`` holds those of Megatron-Core against release 0.16.1.  At d98e8a64 (0.20) they are the
same, with two additions: weights may be sharded further (GTP), which is one more factor of both grids, and
``--rampup-batch-size`` is ignored, so that the batch is checked there in spite of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.training.constraints import batches, grids, model, stages
from sbatchlint.training.constraints.base import Constraint, Numbers

CONSTRAINTS: tuple[Constraint, ...] = (
    grids.DENSE_GRID,
    stages.INTERLEAVED,
    grids.EXPERT_GRID,
    grids.PIPELINE_FIRST,
    batches.INSTANCES,
    batches.EXPERT_INSTANCES,
    batches.GLOBAL_BATCH,
    batches.LEAST_BATCH,
    batches.EVALUATION_BATCH,
    batches.SEQUENCE,
    model.HEAD_SIZE,
    model.SEQUENCE_PARALLEL,
    model.HEADS,
    model.GROUPS,
    model.LINEAR_KEYS,
    model.LINEAR_VALUES,
    model.EXPERTS_MISSING,
    model.EXPERTS,
    stages.ENDS_COUNTED,
    stages.UNEVEN_CHUNKS,
    stages.UNEVEN_STAGES,
    stages.EVEN_STAGES,
    stages.CHUNK_LAYERS,
    stages.CHUNKS,
    batches.INTERLEAVED_BATCH,
    model.MOE_SEQUENCE_PARALLEL,
)
"""All with which a run does not start, about in the order in which it meets them."""
WASTEFUL: tuple[Constraint, ...] = (batches.BUBBLE,)
"""Those with which it runs, and wastes time."""


def broken_by(numbers: Numbers) -> Iterator[tuple[Constraint, str]]:
    """Yield each constraint that *numbers* break, and how; complete numbers, with ETP as it will be."""
    for constraint in CONSTRAINTS:
        text = constraint.check(numbers)
        if text is not None:
            yield constraint, text
