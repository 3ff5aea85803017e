"""SB316: the number of processes that accelerate is given."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB316"
HEAD = 'export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (
            [
                HEAD,
                (
                    "srun bash -c 'accelerate launch --num_machines 2 --num_processes 8 "
                    "--machine_rank $SLURM_NODEID --main_process_ip $HEAD t.py'"
                ),
            ],
            6,
            "warning",
        ),
        (
            [
                HEAD,
                "P=8",
                'C="accelerate launch --num_machines=2 --num_processes=$P --main_process_ip=$HEAD"',
                'srun bash -c "$C --machine_rank=\\$SLURM_NODEID t.py"',
            ],
            6,
            "warning",
        ),
        (
            [
                HEAD,
                (
                    "srun accelerate launch --num_machines 2 --num_processes 15 --rdzv_backend c10d "
                    "--main_process_ip $HEAD t.py"
                ),
            ],
            6,
            "warning",
        ),
        (
            [
                HEAD,
                (
                    "srun accelerate launch --num_machines $SLURM_NNODES --num_processes 32 "
                    "--rdzv_backend c10d --main_process_ip $HEAD t.py"
                ),
            ],
            6,
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
            HEAD,
            (
                "srun accelerate launch --num_machines 2 --num_processes 16 --rdzv_backend c10d "
                "--main_process_ip $HEAD t.py"
            ),
        ],
        [
            HEAD,
            (
                "srun accelerate launch --num_machines 2 --num_processes $((8 * SLURM_NNODES)) "
                "--rdzv_backend c10d t.py"
            ),
        ],
        [HEAD, "srun accelerate launch --config_file a.yaml --num_processes 8 t.py"],
        [HEAD, "srun -N1 -n1 accelerate launch --num_processes 8 t.py"],
        [HEAD, "srun accelerate launch --num_machines 2 --num_processes $P --rdzv_backend c10d t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
