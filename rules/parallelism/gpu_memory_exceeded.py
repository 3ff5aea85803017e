"""SB721 gpu-memory-exceeded."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    LARGEST_GPU,
    Certainty,
    Confidence,
    Finding,
    Job,
    NeededMemory,
    Quantity,
    Related,
    Rule,
    Severity,
    TrainingRun,
    gpu_memory,
    gpu_type,
    needed_memory,
)

_GB = 10**9
_TOLD = (Quantity.TP, Quantity.PP, Quantity.EP, Quantity.ETP)


class GpuMemoryExceeded(Rule):
    r"""The share of the model that each GPU has to hold is larger than its memory.

    ## Why
    TP, PP, EP and ETP say which share of a model each GPU holds; experts are shared out by EP, PP and ETP
    alone.  What does not fit ends in "torch.OutOfMemoryError: CUDA out of memory" after the job has waited in
    the queue and the checkpoint was read.  `sbatchlint size` shows the sum, and layouts that fit.

    ## Example
    256 experts on EP 4 are 64 experts of each layer on a GPU.

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=h100:8
    srun python examples/conversion/hf_megatron_roundtrip_multi_gpu.py \
        --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep 4  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=h100:8
    srun python examples/conversion/hf_megatron_roundtrip_multi_gpu.py \
        --hf-model-id MiniMaxAI/MiniMax-M2 --tp 2 --ep 8
    ```

    ## What it can't know
    Models whose shape is not known, and layouts that a configuration decides.  Counted are weights in bf16
    and, where the whole model is trained, gradients and the optimizer; not activations, caches, CUDA and
    NCCL, so that what is reported is too large whatever they take.  Training with a recipe is of medium
    confidence: an optimizer of lower precision, offloading or FSDP needs less.  Without the type of the GPUs
    the largest there is counts.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/theoretical_memory_usage.py
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/utils/theoretical_memory_utils.py
    """

    code = "SB721"
    name = "gpu-memory-exceeded"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        gpu = gpu_memory(gpu_type(job.request)) or ("the largest GPU", LARGEST_GPU)
        seen = set()
        for run in job.runs:
            needed = needed_memory(run)
            if needed is None or needed.memory.total <= gpu[1] * _GB or needed.word in seen:
                continue
            seen.add(needed.word)
            finding = self._finding(run, needed, *gpu)
            if finding is not None:
                yield finding

    def _finding(self, run: TrainingRun, needed: NeededMemory, gpu: str, memory: int) -> Finding | None:
        if needed.word.place is None:
            return None
        certain = needed.certainty is Certainty.KNOWN and not (run.step is not None and run.step.doubtful)
        readings = (run.layout[quantity] for quantity in _TOLD)
        places = {one.span: one.show() for one in readings if one.given and one.span is not None}
        held = f"{needed.memory.experts} experts of each layer on a GPU: " if needed.memory.experts else ""
        items = ", ".join(f"{item.name} {item.size / _GB:.1f} GB" for item in needed.memory.items)
        return self.finding(
            needed.word.place,
            f"{held}{needed.memory.total / _GB:.0f} GB do not fit into the {memory} GB of {gpu}",
            label=f"{needed.model.architecture.total / _GB:.1f}B parameters",
            related=[Related(span, text) for span, text in places.items()],
            help=f"share the model out to more GPUs: sbatchlint size {needed.model.name} shows what fits",
            notes=[items],
            severity=Severity.ERROR if certain and not needed.mode.trains_all else Severity.WARNING,
            confidence=Confidence.MEDIUM if needed.mode.trains_all or not certain else Confidence.HIGH,
        )
