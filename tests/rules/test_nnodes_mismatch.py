"""SB326: a launcher that is told of another number of nodes than srun starts it on."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

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


C10D = "--rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$HEAD:1"
OWN = ("torchrun on each of 4 nodes forms a world of its own", "medium")
FIRST = (
    "torchrun is told of 1 node and started on 4: the first trains alone, the others wait and fail",
    "high",
)
MIXED = (
    "torchrun is told of 1 node and started on 4: each gives its processes the same ranks at one address",
    "high",
)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"srun torchrun {C10D} t.py", FIRST),
        (f"srun torchrun --nnodes=1 {C10D} t.py", FIRST),
        ("srun torchrun --nnodes 1 --rdzv-backend etcd --rdzv-endpoint $HEAD:1 t.py", FIRST),
        ("srun torchrun --master_addr=$HEAD --master_port=1 t.py", MIXED),
        ("srun torchrun --nnodes=1 --node_rank=0 --master_addr=$HEAD t.py", MIXED),
        ("srun torchrun --rdzv_endpoint=$HEAD:1 t.py", MIXED),
        ("srun torchrun --rdzv_backend=static --rdzv_endpoint=$HEAD:1 t.py", MIXED),
        ("srun bash -c 'torchrun --master_addr=$HEAD --node_rank=$SLURM_NODEID t.py'", FIRST),
        ("srun torchrun --nnodes=1 t.py", OWN),
        ("srun torchrun --standalone --nnodes=4 t.py", (OWN[0], "medium")),
        ("srun torchrun --rdzv_backend=c10d --rdzv_endpoint=localhost:0 t.py", OWN),
        ("srun torchrun --master_addr 127.0.0.1 t.py", OWN),
        ("srun bash -c 'torchrun --rdzv_backend=c10d --rdzv_endpoint=$SLURMD_NODENAME:1 t.py'", OWN),
    ],
)
def test_what_becomes_of_it_depends_on_where_they_meet(line: str, told: tuple[str, str]) -> None:
    """As two agents of torch 2.14, each in a network of its own, have shown."""
    found = findings(job(HEAD, line, **SIZE), CODE)
    assert [(one.message, one.confidence.value) for one in found] == [told]
