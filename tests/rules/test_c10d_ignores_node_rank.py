"""SB329: node ranks without effect."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB329"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (
            [
                (
                    "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=h:1 "
                    "--node_rank=$SLURM_NODEID t.py'"
                )
            ],
            5,
            "info",
        ),
        (
            [
                "A='--nnodes 2 --rdzv-backend c10d --rdzv-endpoint h:1 --node-rank $SLURM_NODEID'",
                'srun bash -c "torchrun $A t.py"',
            ],
            5,
            "info",
        ),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        [
            (
                "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=static --master_addr=h "
                "--node_rank=$SLURM_NODEID t.py'"
            )
        ],
        ["srun bash -c 'torchrun --nnodes=2 --master_addr=h --node_rank=$SLURM_NODEID t.py'"],
        ["srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=h:1 t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
