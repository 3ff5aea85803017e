"""SB319: launchers that start launchers."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 1, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB319"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (
            [("srun torchrun --nproc_per_node=8 --no-python accelerate launch --num_processes 8 t.py")],
            5,
            "error",
        ),
        (["srun -n8 mpirun -np 8 python t.py"], 5, "error"),
        (['C="mpirun -np 8"', "srun -n 8 $C python t.py"], 5, "error"),
        (["srun -n2 bash -c 'mpirun python t.py'"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["mpirun -np 2 -npernode 1 torchrun --nproc_per_node=8 t.py"],
        ["srun -n8 mpirun -np 1 python t.py"],
        ["srun -n1 mpirun -np 8 python t.py"],
        ["srun torchrun --nproc_per_node=8 t.py"],
        ["mpirun -np 8 python t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
