"""SB706 moe-tp-needs-sp."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Edit,
    Finding,
    Fix,
    Fixable,
    FrameworkName,
    Job,
    Quantity,
    Rule,
    Severity,
    Span,
    TrainingRun,
    Violation,
    model,
    regex,
)

from ._report import findings

_NOT_TRAINING = frozenset(("--skip-train", "--dry-run"))
_TRAINING = regex(r"pretrain_(gpt|hybrid|mamba)\.py")
_RECIPE = "scripts/training/run_recipe.py"


class MoeTpNeedsSp(Rule):
    r"""A mixture-of-experts model is trained with tensor parallelism and without sequence parallelism.

    ## Why
    In training, Megatron-Core's expert layers refuse tensor parallelism alone: "ValueError: During training,
    performance may degrade if MoE and tensor parallelism are enabled without also enabling sequence
    parallelism."  It sounds like a warning and ends the job, in the first step: after the model has been
    built and its checkpoint been read.  Older releases of Megatron-LM stop at the start.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-experts 64 --micro-batch-size 1 --expert-model-parallel-size 8 \
        --tensor-model-parallel-size 2 --expert-tensor-parallel-size 1  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-experts 64 --micro-batch-size 1 --expert-model-parallel-size 8 \
        --sequence-parallel --tensor-model-parallel-size 2 --expert-tensor-parallel-size 1
    ```

    ## Fix
    `--sequence-parallel` is written before the option that sets TP, where that stands in the command itself.
    There is no other way to train so, hence the fix is safe; it is not offered where the sequence length is
    no multiple of TP.

    ## What it can't know
    What a recipe sets.  Programs that may not train, and Megatron-DeepSpeed, whose experts are its own, are
    left in peace.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/transformer/moe/moe_layer.py, MoELayer.forward
    """

    code = "SB706"
    name = "moe-tp-needs-sp"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        return findings(
            self, job, model.MOE_SEQUENCE_PARALLEL, only=_surely_trains, advice=_advice, mender=_fix
        )


def _surely_trains(run: TrainingRun) -> bool:
    words = [word.value.show() for word in run.program.arguments]
    if not _NOT_TRAINING.isdisjoint(words) or any(word.startswith("--deepspeed") for word in words):
        return False
    if run.program.has_layer("deepspeed"):
        return False
    if run.framework.name is FrameworkName.MEGATRON_LM:
        return _TRAINING.fullmatch(run.program.name or "") is not None
    return run.framework.script == _RECIPE


def _advice(run: TrainingRun, found: Violation) -> str:
    return "add " + (
        "--sequence-parallel"
        if run.framework.name is FrameworkName.MEGATRON_LM
        else "model.sequence_parallel=true"
    )


def _fix(job: Job, run: TrainingRun, found: Violation) -> Fix | None:
    """Write the switch before the option for TP, if that is a word of the command itself."""
    tp, length, start = run.layout[Quantity.TP], run.layout[Quantity.SEQ_LENGTH], run.span
    if run.framework.name is not FrameworkName.MEGATRON_LM or tp.span is None or start is None:
        return None
    if tp.value is None or (length.given and (length.value is None or length.value % tp.value)):
        return None
    between = job.source.text[start.end : tp.span.start]
    if not start.end <= tp.span.start or not _is_one_command(between):
        return None
    if not job.source.slice(tp.span).startswith(tp.spelling):
        return None
    place = Span(tp.span.start, tp.span.start)
    return Fix.safe("add --sequence-parallel", Edit(place, "--sequence-parallel "))


def _is_one_command(between: str) -> bool:
    """Tell whether the text runs on to the same command: no line ends, and no other command begins."""
    return re.search(r"[;&|<>()`#]|(?<!\\)\n", between) is None
