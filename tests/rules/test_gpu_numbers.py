"""SB230 and SB231: tasks and GPUs of a node."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job

TASKS, CONFLICT = "SB230", "SB231"
TWO = {"nodes": 1, "ntasks_per_node": 2, "gres": "gpu:1"}


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("srun python fit.py --devices 2", {"nodes": 1, "ntasks_per_node": 2, "gres": "gpu:2"}),
        ("srun python fit.py --devices 2", {"nodes": 1, "ntasks_per_node": 2}),
        ("srun python fit.py --devices 2", {"nodes": 2, "ntasks_per_node": 2, "gpus_per_task": 1}),
        ("srun python fit.py", TWO),
        ("srun python fit.py --devices 1", TWO),
        ("srun python fit.py --devices auto", TWO),
        ("srun -n1 python fit.py --devices 2", TWO),
        ("srun bash -c 'python fit.py --devices 2 --x $SLURM_PROCID' & nvidia-cuda-mps-control -d", TWO),
        ("CUDA_VISIBLE_DEVICES=0 srun python fit.py --devices 2", TWO),
        ("srun ./simulate --gpus 1", TWO),
        ("if x; then srun true; fi", TWO),
    ],
)
def test_what_may_be_meant_is_left_in_peace(body: str, options: dict[str, object]) -> None:
    assert findings(job(body, **options), TASKS) == []


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("srun python fit.py --devices=2", "error"),
        ("srun python fit.py trainer.devices=2", "error"),
        ("srun python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config", "error"),
        ("if x; then srun python fit.py --gpus 2; fi", "warning"),
    ],
)
def test_more_tasks_than_gpus(body: str, severity: str) -> None:
    (found,) = findings(job(body, **TWO), TASKS)
    assert found.severity.value == severity
    assert "2 tasks on a node take one GPU each, and it has 1" in found.message


@pytest.mark.parametrize(
    "options",
    [
        {"gres": "gpu:4", "gpus_per_node": 4},
        {"gres": "gpu:4"},
        {"gres": "lustre:1", "gpus_per_node": 4},
        {"gres": "gpu:a100:4", "gpus_per_node": "h100:8"},
        {"gres": "gpu:0", "gpus_per_node": 8},
        {"gres": "$GRES", "gpus_per_node": 8},
    ],
)
def test_equal_numbers_are_left_in_peace(options: dict[str, object]) -> None:
    assert findings(job("srun nvidia-smi", nodes=1, **options), CONFLICT) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"gres": "gpu:4", "gpus_per_node": 8}, "the job has 4: no step starts"),
        ({"gres": "gpu:8", "gpus_per_node": 4}, "4 of 8 GPUs on each node stay idle"),
        ({"gres": "gpu:a100:8,lustre:1", "gpus_per_node": "a100:2"}, "6 of 8 GPUs"),
    ],
)
def test_other_numbers_are_told(options: dict[str, object], said: str) -> None:
    (found,) = findings(job("srun nvidia-smi", nodes=1, **options), CONFLICT)
    assert said in found.message
    assert found.severity.value == "warning"
