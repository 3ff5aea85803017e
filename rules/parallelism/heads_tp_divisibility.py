"""SB703 heads-tp-divisibility."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Finding, Job, Rule, Severity, model

from ._report import findings


class HeadsTpDivisibility(Rule):
    r"""The attention heads of the model can't be shared out to the tensor parallel ranks.

    ## Why
    Each tensor parallel rank computes whole attention heads, so their number must be a multiple of TP:
    "num_attention_heads (40) must be a multiple of tensor_model_parallel_size (16)" (Megatron-Core),
    "40 is not divisible by 16" (older releases).  With grouped query attention the groups of keys and values
    must be a multiple or a divisor of TP; older releases take a multiple alone.  The key and value heads of
    linear attention (gated delta net) are shared out to TP x CP.  And the hidden size must be a multiple of
    the heads, unless `--kv-channels` says how large a head is.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 40 --hidden-size 5120 --num-attention-heads 40 \
        --micro-batch-size 1 --tensor-model-parallel-size 16  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=4
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 40 --hidden-size 5120 --num-attention-heads 40 \
        --micro-batch-size 1 --tensor-model-parallel-size 8
    ```

    12 groups are neither a multiple nor a divisor of 8.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 32 --hidden-size 6144 --num-attention-heads 48 \
        --group-query-attention --num-query-groups 12 \
        --micro-batch-size 1 --tensor-model-parallel-size 8  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun python pretrain_gpt.py --num-layers 32 --hidden-size 6144 --num-attention-heads 48 \
        --group-query-attention --num-query-groups 12 \
        --micro-batch-size 1 --tensor-model-parallel-size 4
    ```

    ## What it can't know
    The model of a recipe or a checkpoint: both numbers have to stand in the script.  A script that is only
    known by its options gets a warning.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/transformer/transformer_config.py, `__post_init__`
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py, validate_args (`kv_channels`)
    """

    code = "SB703"
    name = "heads-tp-divisibility"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        shares = (model.HEADS, model.GROUPS, model.LINEAR_KEYS, model.LINEAR_VALUES)
        return findings(self, job, *shares, model.HEAD_SIZE)
