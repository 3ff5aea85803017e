"""A step that leaves GPUs idle is told apart from one that is meant to run on one rank."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.training.native import idle_gpus
from tests.training.building import run

TRAIN = "python scripts/training/run_recipe.py --recipe a_config"
GENERATE = "python scripts/inference/text_generation.py"
TWO = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
SINGLE = {"nodes": 1, "ntasks_per_node": 1, "gpus_per_node": 8}
KNOWN, ASSUMED = Certainty.KNOWN, Certainty.ASSUMED


@pytest.mark.parametrize(
    ("line", "options", "certainty"),
    [
        (f"srun {TRAIN}", TWO, KNOWN),
        (f"srun {GENERATE}", TWO, KNOWN),
        (f"srun -N2 -n2 {TRAIN}", {**TWO, "ntasks_per_node": 8}, KNOWN),
        (f"srun {TRAIN}", {"nodes": 2, "gpus_per_node": 8}, ASSUMED),
        (f"srun {GENERATE} --tp 2", SINGLE, KNOWN),
        (f"srun -n1 {TRAIN} -tp 4", {**SINGLE, "ntasks_per_node": 8}, KNOWN),
        (f"srun {TRAIN}", SINGLE, ASSUMED),
        (f"srun {TRAIN} -tp 1", SINGLE, ASSUMED),
        (f'if [ -n "$A" ]; then srun {TRAIN}; fi', TWO, ASSUMED),
    ],
)
def test_idle(line: str, options: dict[str, object], certainty: Certainty) -> None:
    idle = idle_gpus(run(line, **options))
    assert idle is not None
    assert (idle.nodes, idle.gpus, idle.certainty) == (options["nodes"], 8, certainty)


@pytest.mark.parametrize(
    ("line", "options"),
    [
        (f"srun {TRAIN}", {**TWO, "ntasks_per_node": 8}),
        (f"srun {TRAIN}", {**TWO, "gpus_per_node": 1}),
        (f"srun --gpus-per-node=1 {TRAIN}", TWO),
        (f"srun --gres=gpu:1 {TRAIN}", TWO),
        (f"srun {TRAIN}", {"nodes": 2, "ntasks_per_node": 1, "gpus_per_task": 1}),
        (f"srun {TRAIN}", {"nodes": 2, "ntasks_per_node": 1}),
        (f"srun {TRAIN}", {**TWO, "nodes": "1-2"}),
        (f"CUDA_VISIBLE_DEVICES=0 srun {TRAIN}", TWO),
        (f"RANK=0 WORLD_SIZE=1 srun {TRAIN}", TWO),
        (f"srun torchrun --nnodes=2 --nproc_per_node=8 {TRAIN[7:]}", TWO),
        (f"srun bash -c 'if [ $SLURM_NODEID = 0 ]; then {TRAIN}; fi'", TWO),
        (f"srun {TRAIN} --dry-run", TWO),
        (f"srun {GENERATE}", SINGLE),
        (f"srun -n1 {TRAIN}", SINGLE),
        (f"srun {TRAIN} -tp 1 -pp 1 -cp 1", SINGLE),
        ("srun python examples/quantization/quantize.py", TWO),
        ("srun python pretrain_gpt.py --tensor-model-parallel-size 4", TWO),
        (TRAIN, TWO),
    ],
)
def test_not_idle_or_not_told(line: str, options: dict[str, object]) -> None:
    assert idle_gpus(run(line, **options)) is None
