"""SB357: sleeping until others should be done."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB357"
TASKS = {"nodes": 2, "ntasks_per_node": 8}
RANKED = 'if [ "$SLURM_LOCALID" = 0 ]; then {}; else sleep 20; fi'


@pytest.mark.parametrize("work", ["uv sync", "pip install -e .", "git clone http://h/r", "python prepare.py"])
def test_tasks_that_sleep_while_one_works(work: str) -> None:
    body = f"srun bash -c '{RANKED.format(work)}; python t.py'"
    (found,) = findings(job(body, **TASKS), CODE)
    assert (found.severity.value, found.prominent) == ("warning", True)


@pytest.mark.parametrize(
    "code",
    [
        "[ $SLURM_LOCALID = 0 ] && uv sync || sleep 20; uv run python t.py",
        "if [ $SLURM_LOCALID = 0 ]\nthen\n  uv sync\nelse\n  sleep 20\nfi\npython t.py",
    ],
)
def test_each_way_of_writing_the_branch(code: str) -> None:
    assert [severity for _, severity in lines(job(f"srun bash -c '{code}'", **TASKS), CODE)] == ["warning"]


@pytest.mark.parametrize(
    "code",
    [
        "if [ $SLURM_LOCALID = 0 ]; then uv sync; else while [ ! -f ok ]; do sleep 1; done; fi; python t.py",
        "if [ $SLURM_LOCALID = 0 ]; then uv sync; else until [ -f ok ]; do sleep 1; done; fi; python t.py",
        "sleep 5; python t.py",
        "sleep $((SLURM_PROCID * 2)); python t.py",
        "python t.py || sleep 60",
    ],
)
def test_quiet_where_tasks_look_or_only_start_late(code: str) -> None:
    assert lines(job(f"srun bash -c '{code}'", **TASKS), CODE) == []


def test_quiet_for_a_single_task() -> None:
    body = f"srun bash -c '{RANKED.format('uv sync')}; python t.py'"
    assert lines(job(body, nodes=1, ntasks=1), CODE) == []


def test_less_sure_between_two_steps() -> None:
    body = ["srun -N1 -n1 ray start --head --block &", "sleep 10", "srun -N1 -n1 python drive.py"]
    (found,) = findings(job(*body, **TASKS), CODE)
    assert not found.prominent
    assert lines(job(body[0], "until nc -z $HEAD 6379; do sleep 1; done", body[2], **TASKS), CODE) == []
