"""SB707 sequence-cp-divisibility."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Quantity, Rule, Severity, TrainingRun, batches

from ._report import findings


class SequenceCpDivisibility(Rule):
    r"""The sequence can't be cut into the chunks of context parallelism.

    ## Why
    Context parallelism gives each rank two chunks of the sequence, one from its beginning and one from its
    end, so that all have the same work.  The length must be a multiple of 2 x CP: "seq-length should be a
    multiple of 2 * context-parallel-size if context-parallel-size > 1." (Megatron-LM), "Sequence length must
    be divisible by 2 * context parallel size if context parallel is used." (Megatron-Bridge).

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=3
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --micro-batch-size 1 --context-parallel-size 6 \
        --seq-length 4096  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=3
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --micro-batch-size 1 --context-parallel-size 6 \
        --seq-length 4104
    ```

    ## What it can't know
    The length that a recipe or a data set has.  In Megatron-Bridge `model.seq_length` alone says nothing:
    the data set's length is taken for both.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py, validate_args
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/config.py, validate
    """

    code = "SB707"
    name = "sequence-cp-divisibility"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        return findings(self, job, batches.SEQUENCE, only=_tells_length)


def _tells_length(run: TrainingRun) -> bool:
    return run.layout[Quantity.SEQ_LENGTH].spelling != "model.seq_length"
