"""SB327: ports, ids and addresses that each task draws for itself."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB327"
HEAD = 'export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (
            [
                HEAD,
                (
                    "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=$RANDOM "
                    "--rdzv_endpoint=$HEAD:1 t.py'"
                ),
            ],
            6,
            "error",
        ),
        (
            [
                HEAD,
                "srun bash <<'EOF'",
                (
                    "torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=$(date +%s) "
                    "--rdzv_endpoint=$HEAD:1 t.py"
                ),
                "EOF",
            ],
            7,
            "error",
        ),
        (
            [
                HEAD,
                (
                    'srun bash -c "torchrun --nnodes=2 --node_rank=\\$SLURM_NODEID '
                    '--master_addr=$HEAD --master_port=\\$(shuf -i 20000-30000 -n1) t.py"'
                ),
            ],
            6,
            "error",
        ),
        (
            [
                HEAD,
                ("C='torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=1 --rdzv_endpoint=$(hostname):1'"),
                'srun bash -c "$C t.py"',
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
        [
            HEAD,
            ("srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=$RANDOM --rdzv_endpoint=$HEAD:1 t.py"),
        ],
        [
            HEAD,
            (
                "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=$(date +%F) "
                "--rdzv_endpoint=$HEAD:1 t.py'"
            ),
        ],
        [
            HEAD,
            "export ID=$RANDOM",
            (
                "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=$ID "
                "--rdzv_endpoint=$HEAD:1 t.py'"
            ),
        ],
        [
            HEAD,
            ("srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=1 --rdzv_endpoint=$(hostname):1 t.py"),
        ],
        [HEAD, ("srun -N1 -n1 bash -c 'torchrun --nnodes=1 --master_port=$((20000 + RANDOM % 1000)) t.py'")],
        [
            HEAD,
            (
                "srun bash -c 'torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID "
                "--rdzv_endpoint=$HEAD:1 t.py'"
            ),
        ],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
