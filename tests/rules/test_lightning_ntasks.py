"""SB340: Lightning and --ntasks without --ntasks-per-node."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB340"
TOLD = "trainer.devices=8 trainer.num_nodes=2"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (f"srun python train.py {TOLD}", 3),
        (f"ARGS=({TOLD})\nsrun bash -c 'python train.py trainer.devices=8'", 3),
        (f"srun -n 16 python train.py {TOLD}", 4),
    ],
)
def test_tasks_without_those_of_a_node_are_told(body: str, line: int) -> None:
    assert lines(job(body, nodes=2, ntasks=16), CODE) == [(line, "warning")]


def test_the_tasks_of_a_node_are_named() -> None:
    (found,) = findings(job(f"srun python train.py {TOLD}", nodes=2, ntasks=16), CODE)
    assert found.help == "give --ntasks-per-node=8 instead"


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (f"srun python train.py {TOLD}", {"nodes": 2, "ntasks_per_node": 8}),
        (f"srun python train.py {TOLD}", {"nodes": 2, "ntasks": 16, "ntasks_per_node": 8}),
        (f"srun --ntasks-per-node=8 python train.py {TOLD}", {"nodes": 2, "ntasks": 16}),
        (f"export SLURM_NTASKS_PER_NODE=8\nsrun python train.py {TOLD}", {"nodes": 2, "ntasks": 16}),
        (f"srun python train.py {TOLD}", {"nodes": 2, "ntasks": 16, "job_name": "interactive"}),
        (f"srun torchrun --nproc_per_node=8 train.py {TOLD}", {"nodes": 2, "ntasks": 2}),
        ("srun python train.py trainer.devices=1", {"nodes": 1, "ntasks": 1}),
        ("srun python train.py --epochs 4", {"nodes": 2, "ntasks": 16}),
        (f"srun python train.py {TOLD}", {"nodes": 2, "ntasks": "$N"}),
    ],
)
def test_other_tasks_and_programs_are_left_in_peace(body: str, options: dict[str, object]) -> None:
    assert lines(job(body, **options), CODE) == []
