"""SB330: ports that a job can not have."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB330"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=h:70000 t.py"], 5, "error"),
        (
            [
                "P=80",
                (
                    'srun bash -c "torchrun --nnodes=2 --node_rank=\\$SLURM_NODEID --master_addr=h '
                    '--master_port=$P t.py"'
                ),
            ],
            5,
            "warning",
        ),
        (["export MASTER_PORT=40000", "srun python t.py"], 5, "info"),
        (["srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=h:${P:-70000} t.py"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=h:29500 t.py"],
        ["srun torchrun --nnodes=1 --rdzv_backend=c10d --rdzv_endpoint=h:0 t.py"],
        ["export MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000))", "srun python t.py"],
        ["srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=n70000 t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
