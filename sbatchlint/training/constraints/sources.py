"""Where Megatron-LM makes its checks: repository@commit: file, function."""

from __future__ import annotations

_MEGATRON_LM = "NVIDIA/Megatron-LM@d98e8a64: megatron"
_CORE = f"{_MEGATRON_LM}/core"

ARGUMENTS = f"{_MEGATRON_LM}/training/arguments.py, validate_args"
PARALLEL_STATE = f"{_CORE}/parallel_state.py, initialize_model_parallel"
MODEL_PARALLEL_CONFIG = f"{_CORE}/model_parallel_config.py, __post_init__"
TRANSFORMER_CONFIG = f"{_CORE}/transformer/transformer_config.py, __post_init__"
TRANSFORMER_BLOCK = f"{_CORE}/transformer/transformer_block.py, get_num_layers_to_build"
MOE_LAYER = f"{_CORE}/transformer/moe/moe_layer.py, MoELayer.forward"
CALCULATOR = f"{_CORE}/num_microbatches_calculator.py, ConstantNumMicroBatches"
SCHEDULES = f"{_CORE}/pipeline_parallel/schedules.py, forward_backward_pipelining_with_interleaving"
