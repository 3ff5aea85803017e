"""Which of the variables that a script exports are told first."""

from __future__ import annotations

import re
from collections.abc import Iterable

_RANKS = re.compile(
    r"RANK|WORLD_SIZE|LOCAL_RANK|NODE_RANK|GROUP_RANK|LOCAL_WORLD_SIZE|NPROC\w*|NNODES|MASTER_(ADDR|PORT)|PET_\w+"
    r"|SLURM_\w+|SRUN_\w+|CUDA_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES"
)
_NETWORK = re.compile(r"(NCCL|RCCL|UCX|UCC|FI|GLOO|IB|SHARP|NVSHMEM|OMPI|PMIX|PMI|MPICH|OFI|HPCX)_\w+")
_FRAMEWORK = re.compile(
    r"(CUDA|TORCH\w*|PYTORCH|NVTE|TRITON|XLA|JAX|TF|HF|HUGGINGFACE|TRANSFORMERS|WANDB|OMP|MKL|NEMO|MEGATRON"
    r"|DEEPSPEED|DS|ACCELERATE|HYDRA|RAY|VLLM|PYTHON\w*|APPTAINER\w*|SINGULARITY\w*|ENROOT|MIOPEN|HSA)(_\w+)?"
)
_ORDER = (_RANKS, _NETWORK, _FRAMEWORK)


def importance(name: str) -> int:
    """Return 0 for what decides on ranks, 1 for the network, 2 for frameworks, 3 for anything else."""
    return next((grade for grade, names in enumerate(_ORDER) if names.fullmatch(name)), len(_ORDER))


def important_first(names: Iterable[str]) -> list[str]:
    """Sort *names* by importance; among equals their order stays."""
    return sorted(names, key=importance)
