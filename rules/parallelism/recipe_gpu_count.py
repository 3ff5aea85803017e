"""SB720 recipe-gpu-count."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.api import (
    Arg,
    Certainty,
    Confidence,
    Finding,
    FrameworkName,
    Job,
    Quantity,
    Related,
    Rule,
    Severity,
    TrainingRun,
    World,
)

_RECIPE = re.compile(
    r"\w+_(?:pretrain|sft|peft)_(?P<gpus>[1-9]\d*)gpu_[a-z0-9]+_"
    r"(?:bf16|fp8cs|fp8ds|fp8mx|fp8sc|nvfp4)(?:_[a-z0-9_]+)?_config"
)
"""How Megatron-Bridge names a recipe that was made for a number of GPUs."""
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
    Whether the recipe fits on fewer, larger GPUs.  Where the command line itself sets TP, PP, CP or EP the
    confidence is medium.  A multiple of the recipe's number is more data parallelism, and in order; names
    without a number are not looked up.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/recipes and scripts/training/run_recipe.py
    """

    code = "SB720"
    name = "recipe-gpu-count"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[Arg] = set()
        for run in job.runs:
            word, gpus = _recipe_of(run)
            if word is None or word in seen or run.world is None or run.world.ranks % gpus == 0:
                continue
            seen.add(word)
            finding = self._finding(run, run.world, word, gpus)
            if finding is not None:
                yield finding

    def _finding(self, run: TrainingRun, world: World, word: Arg, gpus: int) -> Finding | None:
        if word.place is None:
            return None
        fewer = world.ranks < gpus
        doubtful = world.certainty is not Certainty.KNOWN or (run.step is not None and run.step.doubtful)
        adapted = any(run.quantities[one].given for one in _LAYOUT)
        return self.finding(
            word.place,
            f"the recipe is made for {gpus} GPUs and is started on {world.ranks}",
            label=f"TP, PP, CP and EP are chosen for {gpus} GPUs",
            related=[Related(term.span, term.message) for term in world.terms if term.span != word.place],
            help=_help(world, gpus),
            notes=[world.sum],
            confidence=Confidence.HIGH if fewer and not adapted and not doubtful else Confidence.MEDIUM,
        )


def _recipe_of(run: TrainingRun) -> tuple[Arg | None, int]:
    """The word that names the recipe of a Megatron-Bridge run, and its number of GPUs."""
    if run.framework.name is not FrameworkName.MEGATRON_BRIDGE:
        return None, 0
    arguments = run.program.arguments
    for index, argument in enumerate(arguments):
        option, glued, value = (argument.text or "").partition("=")
        if option == "--recipe":
            word = argument if glued else arguments[index + 1] if index + 1 < len(arguments) else None
            name = _RECIPE.fullmatch(value if glued else (word.text or "") if word is not None else "")
            return (word, int(name["gpus"])) if name is not None else (None, 0)
    return None, 0


def _help(world: World, gpus: int) -> str:
    if world.per_node and gpus % world.per_node == 0:
        nodes = gpus // world.per_node
        return f"set the number of nodes to {nodes}, or take a recipe for {world.ranks} GPUs"
    return f"start {gpus} ranks, or take a recipe for {world.ranks} GPUs"
