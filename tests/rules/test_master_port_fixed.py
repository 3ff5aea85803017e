"""SB314: a port that all jobs of a script have."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 1, "ntasks_per_node": 2, "gpus_per_node": 2}
CODE = "SB314"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["export MASTER_ADDR=$(hostname) MASTER_PORT=29500", "srun python t.py"], 5, "warning"),
        (["P=29500", "srun -n1 torchrun --nproc_per_node=2 --master_port=$P t.py"], 5, "warning"),
        (["torchrun --nproc_per_node=2 --master-port 29501 t.py"], 5, "warning"),
        (
            ["srun -n1 bash -c 'torchrun --rdzv_backend=c10d --rdzv_endpoint=localhost:29500 t.py'"],
            5,
            "warning",
        ),
        (["accelerate launch --num_processes 2 --main_process_port 29500 t.py"], 5, "warning"),
        (
            [
                'export MASTER_PORT="29500"',
                "export MASTER_ADDR=$(hostname)",
                "export WORLD_SIZE=2",
                "srun python t.py",
            ],
            5,
            "warning",
        ),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["export MASTER_ADDR=$(hostname) MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))", "srun python t.py"],
        ["export MASTER_PORT=29500", "torchrun --standalone --nproc_per_node=2 t.py"],
        ["torchrun --nproc_per_node=2 --rdzv_backend=c10d --rdzv_endpoint=localhost:0 t.py"],
        ["#SBATCH --exclusive", "export MASTER_ADDR=$(hostname) MASTER_PORT=29500", "srun python t.py"],
        ["#SBATCH --mem=0", "export MASTER_ADDR=$(hostname) MASTER_PORT=29500", "srun python t.py"],
        ["export MASTER_PORT=29500", "srun ./serve"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


@pytest.mark.parametrize(
    ("option", "gpus", "shown"),
    [
        ("--mem=256G", 2, False),
        ("--mem=1T", 4, False),
        ("--mem-per-gpu=128G", 2, False),
        ("--mem=255G", 2, True),
        ("--mem=256G", 4, True),
        ("--mem-per-gpu=128G", 1, True),
        ("--mem-per-gpu=64G", 2, True),
    ],
)
def test_much_memory_leaves_no_room_for_a_second_job(option: str, gpus: int, shown: bool) -> None:
    body = [f"#SBATCH {option}", "export MASTER_ADDR=$(hostname) MASTER_PORT=29500", "srun python t.py"]
    text = job(*body, nodes=1, ntasks_per_node=2, gpus_per_node=gpus)
    assert bool(lines(text, CODE)) is shown
