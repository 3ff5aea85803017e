"""SB506 apptainer-nv-missing."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Confidence,
    Contained,
    Edit,
    Finding,
    Fix,
    Fixable,
    Job,
    Layer,
    Related,
    Rule,
    Severity,
    Span,
    contained,
    gpu_need,
    regex,
)

_GPU_FLAGS = ("nv", "nvccli", "rocm")
_GPU_VARIABLES = tuple(
    f"{name}_{flag}" for name in ("APPTAINER", "SINGULARITY") for flag in ("NV", "NVCCLI", "ROCM")
)
_DRIVER = regex(r"nvidia|cuda|rocm|dri\b|kfd")
_AMD = regex(r"(?i)rocm|\bmi[123]\d\d[ax]?\b|amdgpu|\bROCR_|\bHIP_|\brccl|\blumi\b|\bfrontier\b")
_NVIDIA = regex(
    r"(?i)nvidia|cuda|nvcr\.io|\b(?:gh200|gb?[23]00|h[12]00|a100|a40|a30|v100|p100|l40s?|rtx\w*|t4)\b"
)
_COMMANDS = regex(r"\b(?:exec|run|shell)\b")


class ApptainerNvMissing(Rule):
    """A program that needs a GPU runs in a container that was started without `--nv`.

    ## Why
    Apptainer hides NVIDIA's driver of the host unless it is told to bring it in.  Without `--nv`
    `torch.cuda.is_available()` is False and `nvidia-smi` is not found; the program stops, or trains on
    the CPU while the GPUs stand idle and are charged for.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=a100:4
    srun apptainer exec train.sif torchrun --standalone --nproc_per_node=4 train.py  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=a100:4
    srun apptainer exec --nv train.sif torchrun --standalone --nproc_per_node=4 train.py
    ```

    ## Fix
    `--nv` is added, or `--rocm` where the script speaks of AMD's GPUs.  It is left to you (unsafe) because
    the site may bring in the driver for every container.

    ## What it can't know
    Whether the site has `always use nv = yes` in `apptainer.conf`, and whose GPUs these are: it is sure only
    where the script speaks of NVIDIA's, and silent where it speaks of AMD's, which images with ROCm see
    without `--rocm`.

    ## References
    - [Apptainer: GPU support](https://apptainer.org/docs/user/latest/gpu.html)
    """

    code = "SB506"
    name = "apptainer-nv-missing"
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for place in contained(job):
            layer = place.layer
            if layer is None or layer.name not in ("apptainer", "singularity") or layer.span is None:
                continue
            need = gpu_need(place.program, place.step)
            if need is None or layer.span in seen or not layer.complete or _has_gpus(job, place, layer):
                continue
            if _AMD.search(job.source.text):
                return
            seen.add(layer.span)
            yield self.finding(
                layer.span,
                f"{need.what} will find no GPU: {layer.name} is started without --nv",
                label="the driver's libraries stay outside",
                related=[Related(need.span, "needs a GPU")] if not need.span.overlaps(layer.span) else [],
                help="add --nv",
                fix=_fix(job, layer),
                confidence=Confidence.HIGH if _NVIDIA.search(job.source.text) else Confidence.LOW,
            )


def _has_gpus(job: Job, place: Contained, layer: Layer) -> bool:
    if layer.get(*_GPU_FLAGS) is not None or any(name in job.source.text for name in _GPU_VARIABLES):
        return True
    return any(_DRIVER.search(mount.show()) for mount, _ in place.container.mounts)


def _fix(job: Job, layer: Layer) -> Fix | None:
    assert layer.span is not None
    image = layer.get("image")
    place = image.arg.place if image is not None else None
    if place is None or place.start < layer.span.end:
        return None
    command = _COMMANDS.search(job.source.text, layer.span.end, place.start)
    if command is None:
        return None
    return Fix.unsafe("add --nv", Edit(Span(command.end(), command.end()), " --nv"))
