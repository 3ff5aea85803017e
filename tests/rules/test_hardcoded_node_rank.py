"""SB324: one node rank for the launchers of all nodes."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB324"
HEAD = 'export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        ([HEAD, "srun torchrun --nnodes=2 --node_rank=0 --master_addr=$HEAD t.py"], 6, "error"),
        ([HEAD, "R=1", "srun torchrun --nnodes 2 --node_rank $R --master_addr $HEAD t.py"], 6, "error"),
        (
            [HEAD, 'O=(--nnodes=2 --node-rank=0 --master-addr="$HEAD")', 'srun torchrun "${O[@]}" t.py'],
            6,
            "error",
        ),
        (
            [HEAD, ("srun accelerate launch --num_machines 2 --machine_rank 0 --main_process_ip $HEAD t.py")],
            6,
            "error",
        ),
        ([HEAD, "srun torchrun --nnodes=2 --master_addr=$HEAD t.py"], 6, "error"),
        (
            [
                HEAD,
                'run() { srun bash -c "torchrun --nnodes=2 --node_rank=0 --master_addr=$1 t.py"; }',
                "run n1",
            ],
            6,
            "error",
        ),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        [HEAD, ("srun bash -c 'torchrun --nnodes=2 --node_rank=$SLURM_NODEID --master_addr=$HEAD t.py'")],
        [HEAD, ("srun torchrun --nnodes=2 --node_rank=0 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py")],
        [
            HEAD,
            "srun -N1 -n1 -w n0 torchrun --nnodes=2 --node_rank=0 --master_addr=n0 t.py &",
            "srun -N1 -n1 -w n1 torchrun --nnodes=2 --node_rank=1 --master_addr=n0 t.py &",
            "wait",
        ],
        [HEAD, "srun torchrun --nnodes=1 --node_rank=0 --master_addr=$HEAD t.py"],
        [HEAD, "export PET_NODE_RANK=x", "srun torchrun --nnodes=2 --master_addr=$HEAD t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
