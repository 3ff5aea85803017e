"""SB335: CUDA_VISIBLE_DEVICES set in the batch shell."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 1, "ntasks_per_node": 2, "gpus_per_node": 2}
CODE = "SB335"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["export CUDA_VISIBLE_DEVICES=0,1,2,3", "srun python t.py"], 5, "warning"),
        (["D=0,1,2", "export CUDA_VISIBLE_DEVICES=$D", "srun python t.py"], 6, "warning"),
        (["export CUDA_VISIBLE_DEVICES=0", "srun python t.py"], 5, "warning"),
        (["export CUDA_VISIBLE_DEVICES=3", "srun -n1 python t.py"], 5, "warning"),
        (["declare -x CUDA_VISIBLE_DEVICES=0,1", "srun python t.py"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'CUDA_VISIBLE_DEVICES=$SLURM_LOCALID python t.py'"],
        ["export CUDA_VISIBLE_DEVICES=0", "srun -n1 python t.py"],
        ["CUDA_VISIBLE_DEVICES=0 python a.py &", "CUDA_VISIBLE_DEVICES=1 python b.py &", "wait"],
        ["export CUDA_VISIBLE_DEVICES=1,0", "srun python t.py"],
        ['export CUDA_VISIBLE_DEVICES=""', "srun python t.py"],
        ["#SBATCH --exclusive", "export CUDA_VISIBLE_DEVICES=0,1", "srun python t.py"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
