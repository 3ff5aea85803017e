"""SB602: tasks that install into one place at the same time."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB602"
EIGHT = {"nodes": 2, "ntasks_per_node": 8}
IMAGE = "--container-image=/i.sqsh"


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'pip install -e . && python t.py'"],
        ["srun bash -c 'python -m pip install --user x; python t.py'"],
        ["CMD='pip3 install x && python t.py'", 'srun bash -c "$CMD"'],
        [f"srun {IMAGE} bash -c 'apt-get update; apt-get install -y x; python t.py'"],
        ['run() { srun bash -lc "$1"; }', "run 'conda install -y x; python t.py'"],
        ["srun uv sync"],
        ["srun bash -c 'uv pip install -e . && python t.py'"],
        ["srun bash <<'EOF'", "pip install x", "python t.py", "EOF"],
    ],
)
def test_reported(body: list[str]) -> None:
    assert [severity for _, severity in lines(job(*body, **EIGHT), CODE)] == ["warning"]


@pytest.mark.parametrize(
    "body",
    [
        ["pip install -e .", "srun python t.py"],
        ["srun -N1 -n1 --ntasks-per-node=1 pip install x", "srun python t.py"],
        [
            "srun -N1 -n1 --ntasks-per-node=1 uv sync",
            "srun bash -c 'uv sync && uv run --no-sync python t.py'",
        ],
        ["srun bash -c 'if [ $SLURM_LOCALID -eq 0 ]; then pip install x; fi; python t.py'"],
        ["srun bash -c '[ $SLURM_PROCID = 0 ] && pip install x; python t.py'"],
        ["srun bash -c 'pip install --target=/tmp/$SLURM_PROCID x; python t.py'"],
        ["srun bash -c 'pip list; uv --version; conda env list'"],
        ["srun apptainer exec a.sif pip install x"],
    ],
)
def test_quiet_where_one_installs(body: list[str]) -> None:
    assert lines(job(*body, **EIGHT), CODE) == []


def test_one_task_on_each_node() -> None:
    each = {"nodes": 2, "ntasks_per_node": 1}
    assert lines(job(f"srun {IMAGE} bash -c 'pip install x; python t.py'", **each), CODE) == []
    bare = findings(job("srun bash -c 'pip install x; torchrun t.py'", **each), CODE)
    assert [found.confidence.value for found in bare] == ["medium"]
