"""SB710 option-clash."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Clash,
    Finding,
    GivenOption,
    Job,
    Related,
    Rule,
    Severity,
    Span,
    TrainingRun,
    clashes,
)


class OptionClash(Rule):
    r"""Megatron is given options that it refuses together, or one without another that it needs.

    ## Why
    Megatron-LM looks at its options when it starts, after the job has waited in the queue, and stops with an
    AssertionError.  Checked are the two kinds of FSDP with what they exclude (`--use-torch-fsdp2`,
    `--use-megatron-fsdp`), the three ways to ask for virtual pipeline stages ("No more than one of the
    following arguments can be set at the same time"), training by iterations and by samples ("expected
    iteration-based training"), `--bf16` with `--fp16`, the overlap of communication ("Must use
    --overlap-param-gather with --overlap-grad-reduce", "Tensor parallel communication/GEMM overlap can happen
    only when sequence parallelism is enabled"; that of expert parallelism) and two-level context parallelism.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 --bf16 --use-torch-fsdp2 \
        --untie-embeddings-and-output-weights --no-gradient-accumulation-fusion \
        --use-distributed-optimizer  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 --bf16 --use-torch-fsdp2 \
        --untie-embeddings-and-output-weights --no-gradient-accumulation-fusion
    ```

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 --bf16 \
        --use-distributed-optimizer --overlap-grad-reduce --train-iters 1000 \
        --lr-warmup-samples 2000  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 32 --micro-batch-size 1 --bf16 \
        --use-distributed-optimizer --overlap-grad-reduce --train-iters 1000 \
        --lr-warmup-iters 20
    ```

    ## What it can't know
    The release: where an older one lets the options pass, this is a warning.  An option that is missing is
    only reported where the whole command line is known, and of scripts that Megatron brings itself.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py, validate_args
    - NVIDIA/Megatron-LM@d98e8a64: megatron/core/transformer/transformer_config.py, `__post_init__`
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/training/config.py, validate
    """

    code = "SB710"
    name = "option-clash"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[tuple[Span, str]] = set()
        for run in job.runs:
            for clash in clashes(run):
                place = clash.option.word.place
                if place is not None and (place, clash.text) not in seen:
                    seen.add((place, clash.text))
                    yield self._finding(run, clash, place)

    def _finding(self, run: TrainingRun, clash: Clash, place: Span) -> Finding:
        sure = clash.always and not run.doubtful
        notes = [f'Megatron stops with: "{clash.says}"'] if clash.says else []
        if not clash.always:
            notes.append("recent releases stop; older ones let it pass")
        return self.finding(
            place,
            clash.text,
            label="refused",
            related=_related(clash.other, place),
            help=clash.help,
            notes=notes,
            severity=Severity.ERROR if sure else Severity.WARNING,
        )


def _related(other: GivenOption | None, place: Span) -> list[Related]:
    if other is None or other.word.place is None or other.word.place == place:
        return []
    return [Related(other.word.place, "together with this")]
