"""SB326: a launcher that is told of another number of nodes than srun starts it on."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 4, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB326"
HEAD = 'export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        ([HEAD, "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py"], 6, "error"),
        (
            [HEAD, "N=8", "srun torchrun --nnodes $N --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py"],
            6,
            "error",
        ),
        (
            [
                HEAD,
                "A=(--nnodes=2 --rdzv_backend=c10d)",
                'srun torchrun "${A[@]}" --rdzv_endpoint=$HEAD:1 t.py',
            ],
            6,
            "error",
        ),
        (
            [HEAD, "srun -N 2 -n 2 torchrun --nnodes=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py"],
            6,
            "error",
        ),
        (
            [
                HEAD,
                (
                    "srun bash -c 'accelerate launch --num_machines 2 --num_processes 16 "
                    "--machine_rank $SLURM_NODEID --main_process_ip $HEAD t.py'"
                ),
            ],
            6,
            "error",
        ),
        ([HEAD, "srun torchrun --nnodes=1 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py"], 6, "warning"),
        ([HEAD, "srun torchrun --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py"], 6, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        [HEAD, ("srun torchrun --nnodes=$SLURM_NNODES --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py")],
        [HEAD, "srun torchrun --nnodes=2:4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py"],
        [HEAD, "srun torchrun --standalone --nproc_per_node=8 t.py"],
        [HEAD, "srun torchrun --nproc_per_node=8 bench.py"],
        [
            HEAD,
            (
                "for i in 0 1 2 3; do srun -N1 -n1 -r$i torchrun --nnodes=4 --node_rank=$i "
                "--master_addr=$HEAD t.py & done; wait"
            ),
        ],
        [HEAD, "srun torchrun --nnodes=$N --rdzv_backend=c10d --rdzv_endpoint=$HEAD:1 t.py"],
        [HEAD, "srun accelerate launch --config_file a.yaml t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
