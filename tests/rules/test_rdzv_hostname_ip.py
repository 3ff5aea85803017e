"""SB317: addresses that hostname prints."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB317"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (
            ["H=$(hostname -I)", 'srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint="$H:1" t.py'],
            5,
            "warning",
        ),
        (
            [
                "H=$(srun -N1 -n1 -w n0 hostname --ip-address)",
                "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$H:1 t.py",
            ],
            5,
            "warning",
        ),
        (
            [
                "export MASTER_ADDR=`hostname -i`",
                "srun -n16 --ntasks-per-node=8 bash -c 'RANK=$SLURM_PROCID python t.py'",
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
        [
            "H=$(hostname -I | awk '{print $1}')",
            "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$H:1 t.py",
        ],
        [
            "H=$(hostname -I)",
            "H=${H%% *}",
            "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$H:1 t.py",
        ],
        [
            'read -r H _ <<< "$(hostname -I)"',
            "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$H:1 t.py",
        ],
        ["A=($(hostname -I))", "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=${A[0]}:1 t.py"],
        ["H=$(hostname -s)", "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$H:1 t.py"],
        [
            'echo "on $(hostname -I)"',
            "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=n0:1 t.py",
        ],
        ["export MASTER_ADDR=$(hostname -I)", "srun -N1 -n1 python t.py"],
        ["H=$(hostname -i)", "srun -N1 -n1 torchrun --nnodes=1 --master_addr=$H t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
