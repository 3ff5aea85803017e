"""SB328: the address of the machine that srun was called on."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB328"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (
            [
                (
                    "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=c10d "
                    "--rdzv_endpoint=$SLURM_LAUNCH_NODE_IPADDR:1 t.py'"
                )
            ],
            5,
            "warning",
        ),
        (["srun -w n1 bash -c 'MASTER_ADDR=$SLURM_LAUNCH_NODE_IPADDR python t.py'"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'echo $SLURM_LAUNCH_NODE_IPADDR; python t.py'"],
        [
            'export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
            "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py'",
        ],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
