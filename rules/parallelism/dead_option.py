"""SB711 dead-option."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Finding,
    FrameworkName,
    GivenOptions,
    Job,
    Quantity,
    Rule,
    Severity,
    Span,
    TrainingRun,
    regex,
)

_REPLACED = {
    "--batch-size": "--micro-batch-size",
    "--model-parallel-size": "--tensor-model-parallel-size",
    "--warmup": "--lr-warmup-fraction",
}
"""Refused since there is pipeline parallelism (2020), in every fork that has it."""
_CHECKPOINT = "--checkpoint-activations"
_RECOMPUTE = "--recompute-activations"
_NEWER = (
    "--recompute-granularity",
    "--transformer-impl",
    "--use-mcore-models",
    "--context-parallel-size",
    "--expert-model-parallel-size",
    "--overlap-grad-reduce",
    "--ckpt-format",
    "--hybrid-layer-pattern",
)
"""Options that are younger than the end of ``--checkpoint-activations`` (2022)."""
_OTHER_READER = regex(r"deepspeed")


class DeadOption(Rule):
    r"""Megatron-LM is given an option that it only keeps to refuse it.

    ## Why
    A few options of the first releases are still read, so that scripts that use them are stopped:
    "--batch-size argument is no longer valid, use --micro-batch-size instead", "--model-parallel-size is no
    longer valid, use --tensor-model-parallel-size instead", "--warmup argument is no longer valid, use
    --lr-warmup-fraction instead".  With `--checkpoint-activations` it is worse: every rank says
    "--checkpoint-activations is no longer valid, use --recompute-activations" and exits with status 0, so
    that the job is COMPLETED and has trained nothing.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 24 --hidden-size 2048 --num-attention-heads 16 \
        --tensor-model-parallel-size 1 \
        --batch-size 4  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python pretrain_gpt.py --num-layers 24 --hidden-size 2048 --num-attention-heads 16 \
        --tensor-model-parallel-size 1 \
        --micro-batch-size 4
    ```

    ## What it can't know
    Which release of Megatron-LM is used.  `--checkpoint-activations` was in order until 2022, and still is in
    Megatron-DeepSpeed: it is reported only beside an option that is younger, and not with DeepSpeed.

    ## References
    - NVIDIA/Megatron-LM@d98e8a64: megatron/training/arguments.py, validate_args ("Deprecated arguments")
    """

    code = "SB711"
    name = "dead-option"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Span] = set()
        for run in job.runs:
            for word, name, replacement in _dead(run):
                if word.place is None or word.place in seen:
                    continue
                seen.add(word.place)
                yield self._finding(run, word.place, name, replacement)

    def _finding(self, run: TrainingRun, place: Span, name: str, replacement: str) -> Finding:
        ends = "ends at once, with exit status 0," if name == _CHECKPOINT else "stops"
        return self.finding(
            place,
            f"Megatron-LM {ends} where it is given {name}",
            label="no longer valid",
            help=f"write {replacement}",
            severity=Severity.WARNING if run.doubtful or name == _CHECKPOINT else Severity.ERROR,
        )


def _dead(run: TrainingRun) -> Iterator[tuple[Arg, str, str]]:
    """The words that are refused, with the option that took the place of each."""
    if run.framework.name is not FrameworkName.MEGATRON_LM or not run.framework.by_script:
        return
    given = GivenOptions(run.program.arguments)
    split = any(run.quantities[one].given for one in (Quantity.TP, Quantity.PP, Quantity.MBS, Quantity.GBS))
    for name, replacement in _REPLACED.items():
        option = given.get(name)
        if option is not None and (split or run.program.name == "pretrain_gpt.py"):
            yield option.word, name, replacement
    option = given.get(_CHECKPOINT)
    if option is not None and given.may_have(_NEWER) and not _is_deepspeed(run):
        yield option.word, _CHECKPOINT, _RECOMPUTE


def _is_deepspeed(run: TrainingRun) -> bool:
    return any(_OTHER_READER.search(word.value.show()) for word in run.program.words)
