"""SB708 microbatches-below-pp."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Quantity, Rule, Severity, TrainingRun, Violation, batches

from ._report import findings


class MicrobatchesBelowPp(Rule):
    r"""The pipeline has more stages than there are microbatches to fill it.

    ## Why
    In each step the stages wait for the first microbatch to reach them and for the last one to come back:
    with M microbatches PP - 1 of M + PP - 1 turns stand idle.  With 2 microbatches for 8 stages the GPUs
    stand idle for more than three quarters of the time, and nothing says so.  A larger global batch, smaller
    microbatches or fewer stages fill the pipeline; four microbatches for each stage are a good beginning.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 64 \
        --tensor-model-parallel-size 2 --pipeline-model-parallel-size 8 \
        --micro-batch-size 1 --global-batch-size 4  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 64 \
        --tensor-model-parallel-size 2 --pipeline-model-parallel-size 8 \
        --micro-batch-size 1 --global-batch-size 64
    ```

    ## What it can't know
    Whether the run is a test in which time does not matter, or measures just this: hence the medium
    confidence.  With an interleaved schedule fewer microbatches than stages are an error, SB705.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/pipeline_parallel/schedules.py
    - Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters, section 2.2
    """

    code = "SB708"
    name = "microbatches-below-pp"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        return findings(self, job, batches.BUBBLE, advice=_advice, confidence=Confidence.MEDIUM)


def _advice(run: TrainingRun, found: Violation) -> str | None:
    dp, mbs, pp = run.layout.dp.value, run.layout[Quantity.MBS].value, run.layout[Quantity.PP].value
    if dp is None or mbs is None or pp is None:
        return None
    least = mbs * dp * pp
    return (
        f"GBS {least} gives each stage one microbatch and GBS {4 * least} four; or take a smaller PP or MBS"
    )
