"""SB701 world-size-divisibility."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, grids

from ._report import findings


class WorldSizeDivisibility(Rule):
    r"""The number of ranks is not a multiple of TP x PP x CP.

    ## Why
    Megatron-Core lays the ranks out on a grid of tensor, pipeline and context parallel groups; what is left
    over becomes data parallelism.  Where the division has a remainder, every rank stops at the start with
    "world size (16) is not divisible by total_model_size" (Megatron-LM, Megatron-Bridge) or "world_size (16)
    is not divisible by 32" (Megatron-Core), after the job has waited in the queue for its nodes.  Old
    releases of Megatron-LM cut TP and PP down to what fits instead, and train with a layout that nobody
    asked for.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 64 --micro-batch-size 1 \
        --tensor-model-parallel-size 4 \
        --pipeline-model-parallel-size 8  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 64 --micro-batch-size 1 \
        --tensor-model-parallel-size 4 \
        --pipeline-model-parallel-size 8
    ```

    A recipe decides what is not given.  8 ranks are too few for TP 2 x CP 8, whatever PP the recipe has.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config \
        model.tensor_model_parallel_size=2 \
        model.context_parallel_size=8  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config \
        model.tensor_model_parallel_size=2 \
        model.context_parallel_size=2
    ```

    ## What it can't know
    What a recipe, a configuration file or a checkpoint sets.  A factor that the script does not tell is
    never guessed: what is reported holds for every value of it.  A number that is only a default
    (`${TP:-4}`), or that unknown words behind it may override, makes the finding a warning.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py, validate_args (total_model_size)
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/parallel_state.py, initialize_model_parallel
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/config.py and initialize.py
    - [Megatron-Core: parallelism guide](https://docs.nvidia.com/megatron-core/developer-guide/latest/)
    """

    code = "SB701"
    name = "world-size-divisibility"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        return findings(self, job, grids.DENSE_GRID)
