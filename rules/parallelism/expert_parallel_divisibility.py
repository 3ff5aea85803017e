"""SB702 expert-parallel-divisibility."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, grids, model

from ._report import findings


class ExpertParallelDivisibility(Rule):
    r"""The number of ranks is not a multiple of ETP x EP x PP.

    ## Why
    The experts of a mixture-of-experts model have a grid of their own over the same ranks: expert tensor,
    expert and pipeline parallel groups.  EP is not multiplied with TP and CP, so EP 8 with TP 2 runs on 8
    GPUs; but the ranks must be a multiple of ETP x EP x PP.  If not, every rank stops at the start with
    "world_size (16) is not divisible by expert_tensor_model_pipeline_parallel size (32)".  In Megatron-LM
    ETP is TP where it is not given, which is easily forgotten; Megatron-Bridge takes 1.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-experts 64 --sequence-parallel \
        --tensor-model-parallel-size 4 \
        --expert-model-parallel-size 8  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-experts 64 --sequence-parallel \
        --tensor-model-parallel-size 4 \
        --expert-model-parallel-size 8 --expert-tensor-parallel-size 1
    ```

    EP 16 needs a multiple of 16 ranks.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=3
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python examples/conversion/hf_megatron_roundtrip_multi_gpu.py \
        --hf-model-id MiniMaxAI/MiniMax-M2 --ep 16  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python examples/conversion/hf_megatron_roundtrip_multi_gpu.py \
        --hf-model-id MiniMaxAI/MiniMax-M2 --ep 16
    ```

    ## What it can't know
    What a recipe, a configuration file or a checkpoint sets.  A factor that the script does not tell is
    never guessed: what is reported holds for every value of it.  Where TP x PP x CP does not fit either,
    SB701 alone reports the step.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/parallel_state.py, initialize_model_parallel
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py (expert_tensor_parallel_size defaults to TP)
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: models/transformer_config.py (it defaults to 1)
    """

    code = "SB702"
    name = "expert-parallel-divisibility"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        grid = (grids.EXPERT_GRID, grids.PIPELINE_FIRST, model.EXPERTS_MISSING, model.EXPERTS)
        return findings(self, job, *grid, unless=(grids.DENSE_GRID,))
