"""SB720 recipe-gpu-count."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Certainty,
    Confidence,
    Finding,
    Job,
    Quantity,
    RecipeGpus,
    Related,
    Rule,
    Severity,
    TrainingRun,
    World,
    recipe_gpus,
)

_LAYOUT = (Quantity.TP, Quantity.PP, Quantity.CP, Quantity.EP)


class RecipeGpuCount(Rule):
    r"""A recipe that was made for so many GPUs is started on another number of them.

    ## Why
    Megatron-Bridge's recipes carry a number of GPUs in their names, and their TP, PP, CP and EP are chosen
    for it.  On fewer GPUs most of them stop at the start ("world size (8) is not divisible by ..."), and the
    others keep a larger share of the weights and of the optimizer on each GPU than they were tried with:
    "CUDA out of memory".  On more GPUs than that, but no multiple, the layout may leave a remainder.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python scripts/training/run_recipe.py --mode pretrain \
        --recipe qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    srun python scripts/training/run_recipe.py --mode pretrain \
        --recipe qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config
    ```

    ## What it can't know
    Whether the recipe fits on fewer, larger GPUs.  Where the command line itself sets TP, PP, CP or EP, or
    may do so in words that are not known, the confidence is medium.  A multiple of the recipe's number is
    more data parallelism, and in order.  A name without a number is looked up in one revision of
    Megatron-Bridge; another may let it stand for another recipe, so the confidence is medium there too, and
    nothing is said if the layout may be set otherwise.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/recipes and scripts/training/run_recipe.py
    """

    code = "SB720"
    name = "recipe-gpu-count"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Arg] = set()
        for run in job.runs:
            recipe = recipe_gpus(run.program, run.framework)
            if (
                recipe is None
                or recipe.word in seen
                or run.world is None
                or run.world.ranks % recipe.gpus == 0
            ):
                continue
            seen.add(recipe.word)
            finding = self._finding(run, run.world, recipe)
            if finding is not None:
                yield finding

    def _finding(self, run: TrainingRun, world: World, recipe: RecipeGpus) -> Finding | None:
        word, gpus = recipe.word, recipe.gpus
        # Words that are not known may set another layout.
        adapted = any(run.quantities[one].given for one in _LAYOUT) or not run.quantities.complete
        if word.place is None or (recipe.alias_of and adapted):
            return None
        fewer = world.ranks < gpus
        doubtful = world.certainty is not Certainty.KNOWN or (run.step is not None and run.step.doubtful)
        sure = not (doubtful or adapted or recipe.alias_of)
        return self.finding(
            word.place,
            f"the recipe is made for {gpus} GPUs and is started on {world.ranks}",
            label=f"TP, PP, CP and EP are chosen for {gpus} GPUs",
            related=[Related(term.span, term.message) for term in world.terms if term.span != word.place],
            help=_help(world, gpus),
            notes=[world.sum, *([f"stands for {recipe.alias_of}"] if recipe.alias_of else [])],
            confidence=Confidence.HIGH if fewer and sure else Confidence.MEDIUM,
        )


def _help(world: World, gpus: int) -> str:
    if world.per_node and gpus % world.per_node == 0:
        nodes = gpus // world.per_node
        return f"set the number of nodes to {nodes}, or take a recipe for {world.ranks} GPUs"
    return f"start {gpus} ranks, or take a recipe for {world.ranks} GPUs"
