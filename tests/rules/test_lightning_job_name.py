"""SB332: the names of interactive jobs."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"job_name": "interactive", "nodes": 1, "ntasks_per_node": 4, "gpus_per_node": 4}
CODE = "SB332"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun python fit_lightning.py"], 2, "warning"),
        (["S=srun", '$S bash -c "python t.py trainer.devices=4"'], 2, "warning"),
        (["srun python t.py"], 2, "info"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun torchrun --nproc_per_node=4 lightning.py"],
        ["srun -n1 python fit_lightning.py"],
        ["srun ./a.out"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
