"""SB321: names that nothing expands."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB321"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["srun bash -c 'python t.py --rank \\$SLURM_PROCID'"], 5, "error"),
        (["C='torchrun --node_rank=\\$SLURM_NODEID t.py'", 'srun bash -c "$C"'], 5, "error"),
        (["srun bash <<'EOF'", "python t.py --rank=\\${SLURM_PROCID}", "EOF"], 6, "error"),
        (["srun python t.py --rank '$SLURM_PROCID'"], 5, "error"),
        (["export H=n0", "srun bash -c 'python t.py --addr \\$H'"], 6, "warning"),
        (["A=--rdzv_id", "srun bash -c 'torchrun --rdzv_id=\\$SLURM_JOB_ID t.py'"], 6, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["srun bash -c 'python t.py --rank $SLURM_PROCID'"],
        ['srun bash -c "python t.py --rank \\$SLURM_PROCID"'],
        ["srun bash -c 'bash -c \"python t.py --rank \\$SLURM_PROCID\"'"],
        ["srun awk '{print $1}' f"],
        ["srun python -c 'print(\"$SLURM_PROCID\")'"],
        ["srun python t.py --regex '^a$'"],
        ["srun python t.py --template '$UNKNOWN_NAME'"],
        ["out=/data", "srun python t.py 'hydra.run.dir=${out}'"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []


@pytest.mark.parametrize(
    ("command", "who"),
    [
        ("torchrun --rdzv_id=\\$SLURM_JOB_ID t.py", "torchrun"),
        (
            "python -m torch.distributed.run --rdzv_id=\\$SLURM_JOB_ID t.py --deepspeed",
            "torch.distributed.run",
        ),
        ("torchrun t.py --rank \\$SLURM_PROCID", "t.py"),
        ("python t.py --rank \\$SLURM_PROCID", "t.py"),
    ],
)
def test_the_one_that_gets_it_is_named(command: str, who: str) -> None:
    (found,) = findings(job(f"srun bash -c '{command}'", **SIZE), CODE)
    assert found.message.startswith(f"{who} gets the text ")
