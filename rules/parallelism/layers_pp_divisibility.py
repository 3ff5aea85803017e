"""SB704 layers-pp-divisibility."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Finding,
    FrameworkName,
    Job,
    Quantity,
    Rule,
    Severity,
    TrainingRun,
    Violation,
    legal_values,
    mends,
    stages,
)

from ._report import findings


class LayersPpDivisibility(Rule):
    r"""The layers of the model can't be shared out to the pipeline stages.

    ## Why
    Unless a script says how, each stage of the pipeline gets the same number of layers, and with an
    interleaved schedule each of its virtual stages does.  Where that does not come out, Megatron-LM stops
    with "Number of layers should be divisible by the pipeline-model-parallel size", Megatron-Core with
    "num_layers=46 should be divisible by config.pipeline_model_parallel_size=4".  Models whose layers are odd
    in number (61, 46, 62) are trained with a shorter first or last stage, or with a layout of their own.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 46 --hidden-size 4096 --num-attention-heads 32 \
        --micro-batch-size 1 --tensor-model-parallel-size 8 \
        --pipeline-model-parallel-size 4  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 46 --hidden-size 4096 --num-attention-heads 32 \
        --micro-batch-size 1 --tensor-model-parallel-size 8 \
        --pipeline-model-parallel-size 4 --decoder-last-pipeline-num-layers 10
    ```

    The 8 layers of a stage make 2 or 4 virtual stages, and not 3.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 --global-batch-size 64 \
        --tensor-model-parallel-size 4 --pipeline-model-parallel-size 4 \
        --num-virtual-stages-per-pipeline-rank 3  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 --global-batch-size 64 \
        --tensor-model-parallel-size 4 --pipeline-model-parallel-size 4 \
        --num-virtual-stages-per-pipeline-rank 2
    ```

    ## What it can't know
    The layout of a recipe, a checkpoint or a hybrid model: where there is one, or may be one, nothing is
    reported.  Megatron-DeepSpeed shares out layers of any number, and is left in peace.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py, validate_args
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/transformer/transformer_block.py, get_num_layers_to_build
    - https://github.com/modelscope/ms-swift/issues/5737
    """

    code = "SB704"
    name = "layers-pp-divisibility"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        return findings(
            self,
            job,
            stages.INTERLEAVED,
            stages.ENDS_COUNTED,
            stages.UNEVEN_STAGES,
            stages.UNEVEN_CHUNKS,
            stages.EVEN_STAGES,
            stages.CHUNK_LAYERS,
            stages.CHUNKS,
            advice=_advice,
        )


def _advice(run: TrainingRun, found: Violation) -> str | None:
    """Where the layers of all stages can't be equal: another PP, or a shorter last stage."""
    layout = run.layout
    if found.constraint is stages.ENDS_COUNTED:
        return "count the embedding and the loss among the layers of the first and the last stage"
    layers, pp = layout[Quantity.LAYERS].value, layout[Quantity.PP].value
    counted = layout[Quantity.EMBEDDING_IN_SPLIT].given or layout[Quantity.LOSS_IN_SPLIT].given
    if found.constraint is not stages.EVEN_STAGES or layers is None or pp is None or counted:
        return None
    if run.framework.name is not FrameworkName.MEGATRON_LM:
        return None
    values = [str(value) for value in legal_values(layout, found, Quantity.PP) if value > 1]
    ways = [f"set {layout[Quantity.PP].spelling} to {' or '.join(values)}"] if values else []
    shorter = range(layers - (pp - 1) * -(-layers // pp), 0, 1 - pp)
    last = next((one for one in shorter if mends(layout, found, {Quantity.LAST_STAGE_LAYERS: one})), None)
    if last is not None:
        ways.append(f"give the last stage fewer layers: --decoder-last-pipeline-num-layers {last}")
    return ", or ".join(ways) or None
