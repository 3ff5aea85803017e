"""SB315: tasks that see one GPU and take that of their local rank."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_task": 1}
CODE = "SB315"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun python pretrain_gpt.py"], 4, "warning"),
        (["srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config"], 4, "warning"),
        (["srun bash -c 'LOCAL_RANK=$SLURM_LOCALID python t.py'"], 4, "warning"),
        (["srun --gpus-per-task=1 python pretrain_gpt.py"], 5, "warning"),
        (["srun --gpu-bind=single:1 python pretrain_gpt.py"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun --gpu-bind=none python pretrain_gpt.py"],
        ["export SLURM_GPU_BIND=none", "srun python pretrain_gpt.py"],
        ["srun python t.py"],
        [
            (
                "srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config "
                "dist.external_gpu_device_mapping=true"
            )
        ],
        ["srun -N1 -n1 python pretrain_gpt.py"],
        ["srun --gpus-per-task=4 -n2 python pretrain_gpt.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
