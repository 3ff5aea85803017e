"""SB705 gbs-divisibility."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, batches, grids

from ._report import findings


class GbsDivisibility(Rule):
    r"""The global batch can't be shared out to the copies of the model in microbatches.

    ## Why
    The ranks that are left beside TP, PP and CP are copies of the model: DP = ranks / (TP x PP x CP).  In
    each step every copy takes the same number of microbatches, so the global batch size must be a multiple
    of MBS x DP: "global batch size (60) is not divisible by micro batch size (2) times data parallel size
    (4)".  A job that ran on 4 nodes fails on 6 with the same batch size.  The same holds for the batch of an
    evaluation, for the groups of microbatches of an interleaved schedule ("The number of contiguous
    micro-batches in a virtual pipeline stage"), and for the instances of a distributed optimizer.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 \
        --micro-batch-size 2 \
        --global-batch-size 60  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 \
        --micro-batch-size 2 \
        --global-batch-size 64
    ```

    ## What it can't know
    Numbers that a recipe or a checkpoint sets.  Nothing is reported of a batch that grows
    (`--rampup-batch-size`) or that Megatron may make smaller (`--decrease-batch-size-if-needed`), unless it
    is less than one microbatch for each copy.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/num_microbatches_calculator.py, ConstantNumMicroBatches
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/pipeline_parallel/schedules.py
    - https://github.com/verl-project/verl/pull/1811
    """

    code = "SB705"
    name = "gbs-divisibility"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        return findings(
            self,
            job,
            batches.GLOBAL_BATCH,
            batches.LEAST_BATCH,
            batches.EVALUATION_BATCH,
            batches.INTERLEAVED_BATCH,
            batches.INSTANCES,
            batches.EXPERT_INSTANCES,
            unless=(grids.DENSE_GRID,),
        )
