"""SB313: the deepspeed launcher in a step."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB313"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun deepspeed --num_nodes 2 --num_gpus 8 --hostfile h t.py"], 5, "error"),
        (["srun bash -c 'deepspeed --hostfile=h t.py'"], 5, "error"),
        (['L="deepspeed --hostfile h"', "srun $L t.py"], 5, "error"),
        (["srun deepspeed t.py"], 5, "warning"),
        (["srun -N1 -n1 deepspeed --num_gpus=16 t.py"], 5, "error"),
        (["deepspeed t.py --deepspeed ds.json"], 5, "warning"),
        (["deepspeed --num_gpus 8 t.py"], 5, "warning"),
        (["deepspeed --launcher slurm t.py"], 5, "warning"),
        (["deepspeed --num_nodes 2 --num_gpus 8 t.py"], 5, "warning"),
        (["deepspeed --num_nodes=1 --hostfile h t.py"], 5, "warning"),
        (["srun hostname > log", "deepspeed --num_gpus 8 t.py"], 6, "warning"),
        (["srun bash -c 'deepspeed --no_ssh --hostfile h --node_rank 0 --master_addr $H t.py'"], 5, "error"),
        (["R=1", "srun deepspeed --no_ssh --hostfile=h --node_rank=$R t.py"], 5, "error"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["deepspeed --hostfile h --num_nodes 2 --num_gpus 8 t.py"],
        [("srun bash -c 'deepspeed --no_ssh --node_rank $SLURM_NODEID --hostfile h --master_addr $H t.py'")],
        ["srun -N1 -n1 deepspeed --num_gpus 8 t.py"],
        ["srun -n1 deepspeed --no_ssh --hostfile h --node_rank 0 t.py"],
        ["deepspeed --num_nodes=$N --hostfile h t.py"],
        ["deepspeed --num_nodes=$SLURM_NNODES --hostfile h t.py"],
        ["deepspeed --num_nodes 4 --hostfile h t.py"],
        ["deepspeed $ARGS t.py"],
        ["deepspeed --include=localhost:0,1 t.py"],
        ["scontrol show hostnames > /job/hostfile", "deepspeed t.py"],
        ["ssh node2 deepspeed t.py", "deepspeed t.py"],
        ["srun python other.py &", "deepspeed t.py", "wait"],
        ["for h in $(scontrol show hostnames); do ssh $h deepspeed --num_gpus 8 t.py & done"],
        ["srun python t.py --deepspeed ds.json"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
