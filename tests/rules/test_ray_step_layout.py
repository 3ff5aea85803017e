"""SB318: steps that start Ray."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 3, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB318"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun -N1 -n1 ray symmetric-run --address h:6379 --min-nodes 3 -- python d.py"], 5, "error"),
        (
            [
                (
                    "srun --ntasks-per-node=2 -n6 ray symmetric-run --address h:6379 --min-nodes 3 "
                    "-- python d.py"
                )
            ],
            5,
            "error",
        ),
        (
            ['S="srun -n1 -N1"', "$S ray symmetric-run --address=h:6379 --min-nodes=3 -- python d.py"],
            5,
            "error",
        ),
        (["srun ray start --head --block"], 5, "error"),
        (["srun -n24 --ntasks-per-node=8 bash -c 'ray start --address h:6379 --block'"], 5, "error"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun ray symmetric-run --address h:6379 --min-nodes 3 -- python d.py"],
        [
            "srun -N1 -n1 -w n0 ray start --head --block &",
            "srun -N2 -n2 -x n0 ray start --address n0:6379 --block &",
            "wait",
        ],
        [
            (
                "srun bash -c 'if [ $SLURM_NODEID = 0 ]; then ray start --head --block; else ray "
                "start --address h:1 --block; fi'"
            )
        ],
        ["srun ray symmetric-run --address h:6379 --min-nodes $SLURM_NNODES -- python d.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
