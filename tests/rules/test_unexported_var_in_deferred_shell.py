"""SB320: variables of the batch shell that the tasks read."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

SIZE = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
CODE = "SB320"


@pytest.mark.parametrize(
    ("body", "line", "severity"),
    [
        (["H=n0", "srun bash -c 'python t.py --addr $H'"], 5, "error"),
        (["H=n0", "C='python t.py --addr ${H}'", 'srun bash -c "$C"'], 5, "error"),
        (
            [
                "P=3",
                "srun bash <<'EOF'",
                'if [ "$SLURM_PROCID" -eq "$P" ]; then echo first; fi',
                "python t.py",
                "EOF",
            ],
            5,
            "error",
        ),
        (["H=n0", "cat > run.sh <<'EOF'", "python t.py --addr $H", "EOF", "srun bash run.sh"], 5, "error"),
        (["source env.sh", "H=n0", "srun bash -c 'python t.py --addr $H'"], 6, "warning"),
        (["H=n0", "srun bash -c 'source env.sh; python t.py --addr $H'"], 5, "warning"),
    ],
)
def test_reported(body: list[str], line: int, severity: str) -> None:
    assert lines(job(*body, **SIZE), CODE) == [(line, severity)]


@pytest.mark.parametrize(
    "body",
    [
        ["export H=n0", "srun bash -c 'python t.py --addr $H'"],
        ["H=n0", "export H", "srun bash -c 'python t.py --addr $H'"],
        ["H=n0 srun bash -c 'python t.py --addr $H'", "H=n1"],
        ["H=n0", "srun --export=ALL,H bash -c 'python t.py --addr $H'"],
        ["set -a", "H=n0", "srun bash -c 'python t.py --addr $H'"],
        ["H=n0", 'srun bash -c "python t.py --addr $H"'],
        ["H=n0", "srun bash -c 'H=n1; python t.py --addr $H'"],
        ["H=n0", "srun bash -c 'python t.py --addr ${H:-n1}'"],
        ["i=1", "srun bash -c 'for i in 1 2; do python t.py $i; done'"],
        ["H=n0", "CMD='python t.py $H'", 'eval "srun $CMD"'],
        ["srun bash -c 'python t.py --addr $H'", "H=n0"],
        ["H=n0", "srun python -c 'print(\"$H\")'"],
        ["H=n0", "srun env H=$H bash -c 'python t.py $H'"],
    ],
)
def test_quiet_on_what_is_right(body: list[str]) -> None:
    assert lines(job(*body, **SIZE), CODE) == []
