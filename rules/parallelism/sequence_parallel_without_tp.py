"""SB709 sequence-parallel-without-tp."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Quantity, Rule, Severity, TrainingRun, Violation, model

from ._report import findings


class SequenceParallelWithoutTp(Rule):
    r"""Sequence parallelism is asked for, and switched off again because TP is 1.

    ## Why
    Sequence parallelism shares out, over the tensor parallel ranks, what tensor parallelism leaves whole.
    With TP 1 there is nobody to share with: Megatron-LM says "Disabling sequence parallelism because tensor
    model parallelism is disabled", Megatron-Bridge and NeMo switch it off as well.  The job runs, but whoever
    counts on the memory that it saves is mistaken.  A program that makes the configuration of Megatron-Core
    itself stops with "Cannot use sequence parallelism without tensor parallelism".

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 \
        --tensor-model-parallel-size 1 \
        --sequence-parallel  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 \
        --tensor-model-parallel-size 1
    ```

    ## What it can't know
    Whether the option is there for runs of the same script with a greater TP, which is common: so this is
    a remark.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py, validate_args
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/models/transformer_config.py, finalize
    """

    code = "SB709"
    name = "sequence-parallel-without-tp"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        return findings(self, job, model.SEQUENCE_PARALLEL, advice=_advice, only=_is_asked)


def _is_asked(run: TrainingRun) -> bool:
    """Tell whether the script asks for it; what a recipe has and TP 1 switches off is meant so."""
    return run.layout[Quantity.SP].given


def _advice(run: TrainingRun, found: Violation) -> str:
    return "leave it out, or set TP to more than 1"
