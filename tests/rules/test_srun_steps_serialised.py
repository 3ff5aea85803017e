"""SB352: steps that can't run side by side."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB352"
ONE = {"nodes": 1, "ntasks": 4}


@pytest.mark.parametrize(
    "body",
    [
        ["srun -n1 python a.py &", "srun -n1 python b.py &", "wait"],
        ["srun -n1 --mem=10G python a.py &", "srun -n1 --gpus=1 python b.py &", "wait"],
        ["for i in 1 2 3; do srun -n1 python t.py $i & done", "wait"],
        ["for i in $LIST; do", "srun -n1 python t.py $i &", "done", "wait"],
        ["for ((i=0; i<4; i++)); do srun -n1 python t.py $i & done", "wait"],
        ['RUN="srun -n1"', "$RUN python a.py &", "$RUN python b.py &", "wait"],
        ["srun --label python server.py &", "srun python client.py &", "wait"],
    ],
)
def test_steps_that_take_the_whole_node(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, **ONE), CODE)] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        ["srun -n1 --exact python a.py &", "srun -n1 --exact python b.py &", "wait"],
        ["srun -n1 --overlap python a.py &", "srun -n1 python b.py &", "wait"],
        ["export SLURM_OVERLAP=1", "srun -n1 python a.py &", "srun -n1 python b.py &", "wait"],
        ["srun -n1 -c2 python a.py &", "srun -n1 -c2 python b.py &", "wait"],
        ["srun -n1 --exclusive python a.py &", "srun -n1 --exclusive python b.py &", "wait"],
        ["srun -n1 -w $A python a.py &", "srun -n1 -w $B python b.py &", "wait"],
        ["srun -n1 python a.py &", "wait", "srun -n1 python b.py &", "wait"],
        ["for i in 1 2 3; do srun -n1 python t.py $i & wait; done"],
        ["srun -n1 python a.py", "srun -n1 python b.py"],
        ["srun -n1 python a.py &", "wait"],
        ["srun -n1 $MORE python a.py &", "srun -n1 $MORE python b.py &", "wait"],
        ["srun -n1 hostname &", "srun -n1 hostname &", "wait"],
    ],
)
def test_quiet_where_they_share_or_take_turns(body: list[str]) -> None:
    assert lines(job(*body, **ONE), CODE) == []


def test_as_many_nodes_as_steps_are_enough() -> None:
    body = ["srun -N1 -n1 python a.py &", "srun -N1 -n1 python b.py &", "wait"]
    assert lines(job(*body, nodes=2, ntasks=2), CODE) == []
    (found,) = findings(job(*body, "srun true", nodes=1, ntasks=2), CODE)
    assert "whole node" in found.message


def test_two_steps_on_all_nodes() -> None:
    body = ["srun python a.py &", "srun python b.py &", "wait"]
    (found,) = findings(job(*body, nodes=2, ntasks_per_node=1), CODE)
    assert "all 2 nodes" in found.message
