"""SB806 stale-resume-dir."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import Confidence, Finding, Job, Program, Related, Rule, Severity, saves_by_default


class StaleResumeDir(Rule):
    r"""Several runs share `nemo_experiments`, and each goes on from what another has left there.

    ## Why
    Without a folder for checkpoints, Megatron-Bridge's recipes save under `nemo_experiments` of the working
    folder, and load from there if they find something.  A second run in the same folder continues the first
    one: its loss begins suspiciously low, it ends at once because all iterations are done, or loading fails
    with mismatched shapes.  Elements of a job array write over each other's checkpoints.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    cd /lustre/Megatron-Bridge || exit 1
    for lr in 1e-4 3e-4; do
        srun python scripts/training/run_recipe.py \  # finding here
            --recipe llama3_8b_pretrain_config optimizer.lr=$lr
    done
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    cd /lustre/Megatron-Bridge || exit 1
    for lr in 1e-4 3e-4; do
        srun python scripts/training/run_recipe.py \
            --recipe llama3_8b_pretrain_config optimizer.lr=$lr \
            checkpoint.save=/lustre/runs/lr_$lr checkpoint.load=/lustre/runs/lr_$lr
    done
    ```

    ## Fix
    None: name a folder for each run.  Removing `nemo_experiments` removes checkpoints.

    ## What it can't know
    Whether resuming is what you want, and what the recipe itself sets.  A single run in a folder of its own
    is not reported, nor is a script that speaks of `nemo_experiments`.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge: src/megatron/bridge/training/config.py (CheckpointConfig)
    """

    code = "SB806"
    name = "stale-resume-dir"
    severity = Severity.INFO

    def check(self, job: Job) -> Iterator[Finding]:
        if "nemo_experiments" in job.source.text:
            return
        runs = [program for _, program in job.plan.programs() if saves_by_default(program)]
        array = job.request.get("array")
        if not runs or (len({_line(run) for run in runs}) < _SEVERAL and array is None):
            return
        places = list(dict.fromkeys(run.target_span or run.span for run in runs))
        first = places[0]
        if first is None:
            return
        related = [Related(span, "saves there, too") for span in places[1:] if span is not None]
        if array is not None and array.span is not None:
            related.append(Related(array.span, "each element saves there"))
        yield self.finding(
            first,
            "several runs share nemo_experiments: each goes on from what another has left there",
            label="no folder for checkpoints is named",
            related=related,
            help="give checkpoint.save and checkpoint.load a folder of their own for each run",
            confidence=Confidence.MEDIUM,
        )


_SEVERAL = 2


def _line(program: Program) -> str:
    return " ".join(word.value.show() for word in (*program.words, *program.arguments))
