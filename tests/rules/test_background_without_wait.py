"""SB356: steps that the end of the script kills."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB356"


@pytest.mark.parametrize(
    "body",
    [
        ["srun python t.py &"],
        ["srun python t.py &", "echo started"],
        ["srun python t.py > log 2>&1 &", "date"],
        ['RUN="srun --exact"', "$RUN python t.py &"],
        ["(cd /data; srun python t.py) &"],
        ["{ srun python t.py; } &"],
        ["for i in 1 2; do srun -n1 python t.py $i & done"],
        ["for ((i=0; i<3; i++)); do", "srun -n1 python t.py $i &", "done", "echo started"],
    ],
)
def test_nothing_waits(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, ntasks=2), CODE)] == ["error"]


@pytest.mark.parametrize(
    "body",
    [
        ["srun python t.py &", "wait"],
        ["srun python t.py & PID=$!", "wait $PID"],
        ["for i in 1 2; do srun -n1 python t.py $i & done", "wait"],
        ["for i in 1 2; do srun -n1 python t.py $i & wait; done"],
        ["srun --overlap nvidia-smi -l 10 &", "srun python t.py"],
        ["srun --overlap python monitor.py &"],
        ["srun python server.py &", "srun python t.py"],
        ["srun python t.py &", "sleep infinity"],
        ["srun python t.py &", "tail -f log --pid=$!"],
        ["srun python t.py &", "while pgrep t.py; do sleep 5; done"],
        ["srun python t.py &", "finish"],
        ["trap wait EXIT", "srun python t.py &"],
        ["srun python t.py"],
        ["python helper.py &", "srun python t.py"],
        ["start() { srun python t.py & }", "start", "join"],
    ],
)
def test_quiet_where_something_holds_the_script(body: list[str]) -> None:
    assert lines(job(*body, ntasks=2), CODE) == []


def test_one_finding_for_all_steps() -> None:
    (found,) = findings(job("srun python a.py &", "srun python b.py &", ntasks=2), CODE)
    assert len(found.related) == 1


def test_wait_is_put_behind_the_last_step() -> None:
    text = job("srun python a.py &", "srun python b.py &  # b", "echo started", ntasks=2)
    mended = job("srun python a.py &", "srun python b.py &  # b", "wait", "echo started", ntasks=2)
    assert fixed(text).converged.source.text == mended
