"""SB613 cuda-device-max-connections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Certainty,
    Confidence,
    Edit,
    Finding,
    Fix,
    Fixable,
    FrameworkName,
    GpuGeneration,
    Job,
    Quantity,
    Reading,
    Related,
    Rule,
    Severity,
    Span,
    TrainingRun,
    given_variables,
    gpu_generation,
    meant_variable,
    mentions,
    reads_settings,
    regex,
)

_NAME = "CUDA_DEVICE_MAX_CONNECTIONS"
_FSDP = frozenset(("--use-torch-fsdp2", "--use-megatron-fsdp", "--use-custom-fsdp"))
_BRIDGE_FSDP = regex(r"(?:\+*\w+\.use_megatron_fsdp=|--use_megatron_fsdp[= ])(?:true|1|yes)", re.IGNORECASE)
_OVERLAP = "--overlap-moe-expert-parallel-comm"
"""With it Megatron-LM warns only: it would rather have 32."""
_OTHER_FORK = regex(r"--deepspeed(?:[-_]\w[\w-]*)?")
"""Megatron-DeepSpeed, much of which is older than the check."""
_SINCE_THE_CHECK = frozenset(
    "--sequence-parallel --context-parallel-size --use-mcore-models --transformer-impl --num-experts "
    "--swiglu --use-distributed-optimizer --group-query-attention --num-query-groups --use-flash-attn "
    "--normalization --overlap-grad-reduce --position-embedding-type --untie-embeddings-and-output-weights "
    "--tokenizer-model --disable-bias-linear --use-rotary-position-embeddings --rotary-percent".split()
)
"""Options that Megatron-LM has had for no longer than the check."""


class CudaDeviceMaxConnections(Rule):
    """CUDA_DEVICE_MAX_CONNECTIONS is not 1 where Megatron-LM insists on it, or is 1 where it must not be.

    ## Why
    On GPUs before Blackwell, Megatron-LM overlaps the communication of tensor and context parallelism with
    computation by one hardware queue, and refuses to start without it: "AssertionError: Using tensor model
    parallelism or context parallelism require setting the environment variable CUDA_DEVICE_MAX_CONNECTIONS to
    1" (before 0.12: "RuntimeError: Using sequence parallelism requires ...").  With FSDP it is the reverse:
    "FSDP requires CUDA_DEVICE_MAX_CONNECTIONS > 1 or unset."

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=h100:8
    srun torchrun --nproc_per_node=8 pretrain_gpt.py --tensor-model-parallel-size 8 --swiglu  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=h100:8
    export CUDA_DEVICE_MAX_CONNECTIONS=1
    srun torchrun --nproc_per_node=8 pretrain_gpt.py --tensor-model-parallel-size 8 --swiglu
    ```

    With FSDP:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=h100:8
    export CUDA_DEVICE_MAX_CONNECTIONS=1  # finding here
    srun torchrun --nproc_per_node=8 pretrain_gpt.py --use-megatron-fsdp --ckpt-format fsdp_dtensor
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --gpus-per-node=h100:8
    srun torchrun --nproc_per_node=8 pretrain_gpt.py --use-megatron-fsdp --ckpt-format fsdp_dtensor
    ```

    ## Fix
    `export CUDA_DEVICE_MAX_CONNECTIONS=1` is put on a line of its own before the command.  On Blackwell it
    does nothing.  Where it has another value, or FSDP wants none, you have to decide.

    ## What it can't know
    Which release it is: without an option that tells of 2023 or later, it is an info.  The GPUs, where
    neither `--gres`, `--constraint` nor the cluster's profile names them: such a finding is less sure.  On
    Blackwell nothing is asked for.  Megatron-Bridge does not insist on 1 and sets what its recipe says; so it
    is looked at for FSDP alone.  A variable that the script mentions anywhere, or a file that it sources, may
    come from elsewhere.

    ## References
    - [Megatron-LM issue 533](https://github.com/NVIDIA/Megatron-LM/issues/533)
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py (`validate_args`)
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/config.py
    """

    code = "SB613"
    name = "cuda-device-max-connections"
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[tuple[Span, str]] = set()
        for run in job.runs:
            finding = self._with_fsdp(run) or self._without(job, run)
            if finding is not None and (finding.span, finding.message) not in seen:
                seen.add((finding.span, finding.message))
                yield finding

    def _with_fsdp(self, run: TrainingRun) -> Finding | None:
        switch = _fsdp(run)
        value, span = run.program.environment.get(_NAME), run.program.environment_spans.get(_NAME)
        if switch is None or value is None or span is None or value.text != "1":
            return None
        sure = value.certainty is Certainty.KNOWN and not switch.optional and not _is_doubtful(run)
        return self.finding(
            span,
            "the training will not start: with FSDP, CUDA_DEVICE_MAX_CONNECTIONS must not be 1",
            label="one hardware queue for all streams",
            related=[Related(switch.place, "FSDP")] if switch.place is not None else [],
            help=f"remove it, or unset {_NAME} before this command",
            severity=Severity.ERROR if sure else Severity.WARNING,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )

    def _without(self, job: Job, run: TrainingRun) -> Finding | None:
        split = _split(run)
        generation = gpu_generation(job)
        if split is None or generation is GpuGeneration.BLACKWELL or not _insists(run):
            return None
        value = run.program.environment.get(_NAME)
        if value is not None and value.text in (None, "1"):
            return None
        if value is None and _may_be_set(job):
            return None
        span = run.span if value is None else run.program.environment_spans.get(_NAME, run.span)
        if span is None:
            return None
        certain = split.certainty is Certainty.KNOWN and not _is_doubtful(run) and _is_modern(run)
        certain = certain and (value is None or value.certainty is Certainty.KNOWN)
        old = generation is GpuGeneration.BEFORE_BLACKWELL
        may_be_new = generation is GpuGeneration.MAYBE_BLACKWELL
        return self.finding(
            span,
            f"{_who(run)} will not start with {split.show()}: {_NAME} is "
            + ("not set" if value is None else f"{value.show()}, not 1"),
            label="it has to be 1 on GPUs before Blackwell",
            related=[] if split.span is None else [Related(split.span, split.show())],
            help=f"export {_NAME}=1",
            fix=_fix(job, run) if value is None and not may_be_new else None,
            severity=_severity(run, certain and not may_be_new),
            confidence=_confidence(run, certain and old),
        )


def _who(run: TrainingRun) -> str:
    return "Megatron-LM" if _is_modern(run) else "a Megatron-LM of 2023 or later"


def _severity(run: TrainingRun, certain: bool) -> Severity:
    if certain:
        return Severity.ERROR
    return Severity.WARNING if _is_modern(run) else Severity.INFO


def _confidence(run: TrainingRun, sure: bool) -> Confidence:
    if sure:
        return Confidence.HIGH
    return Confidence.MEDIUM if _is_modern(run) else Confidence.LOW


def _fsdp(run: TrainingRun) -> Arg | None:
    """The word that switches FSDP on."""
    arguments = run.program.arguments
    if run.framework.name is FrameworkName.MEGATRON_LM:
        return next((one for one in arguments if one.text in _FSDP), None)
    if run.framework.name is not FrameworkName.MEGATRON_BRIDGE:
        return None
    for index, one in enumerate(arguments):
        following = arguments[index + 1].text if index + 1 < len(arguments) else ""
        if _BRIDGE_FSDP.fullmatch(one.text or "") or _BRIDGE_FSDP.fullmatch(f"{one.text} {following}"):
            return one
    return None


def _split(run: TrainingRun) -> Reading | None:
    """The quantity that makes Megatron-LM insist: TP or CP above 1."""
    for quantity in (Quantity.TP, Quantity.CP):
        reading = run.quantities[quantity]
        if reading.given and reading.known and min(reading.values) > 1:
            return reading
    return None


def _insists(run: TrainingRun) -> bool:
    """Whether it is Megatron-LM's own script, in a mode in which it asks for 1."""
    if run.framework.name is not FrameworkName.MEGATRON_LM or not run.framework.by_script:
        return False
    texts = {one.text or "" for one in run.program.arguments}
    if any(_OTHER_FORK.fullmatch(text.partition("=")[0]) for text in texts):
        return False
    return _OVERLAP not in texts and _FSDP.isdisjoint(texts)


def _is_modern(run: TrainingRun) -> bool:
    return not _SINCE_THE_CHECK.isdisjoint(
        (one.text or "").partition("=")[0] for one in run.program.arguments
    )


def _may_be_set(job: Job) -> bool:
    """Tell whether it may come from somewhere else, or another rule tells why it is missing."""
    misspelt = (meant_variable(one.name) for one in given_variables(job))
    if any(meant is not None and meant.name == _NAME for meant in misspelt):
        return True
    return mentions(job, _NAME) or _NAME in job.source.text or reads_settings(job)


def _is_doubtful(run: TrainingRun) -> bool:
    return run.doubtful or run.program.code_incomplete


def _fix(job: Job, run: TrainingRun) -> Fix | None:
    """Export it on a line before the command, where the command begins a line."""
    span = run.step.line_span if run.step is not None else run.program.span
    if span is None:
        return None
    line = job.source.line_around(span.start)
    before = job.source.text[line.start : span.start]
    behind = job.source.text[: line.start].rstrip("\n").endswith(("\\", "|", "&&"))
    if before.strip() or behind:
        return None
    place = Span(span.start, span.start)
    return Fix.safe(f"export {_NAME}=1", Edit(place, f"export {_NAME}=1\n{before}"))
