"""SB338: the fix of a name that is one slip away from an option of srun."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, fixed, job, lines

CODE = "SB338"


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("srun --gpu-per-node=4 python t.py", "srun --gpus-per-node=4 python t.py"),
        ("srun --ntasks_per_node 4 python t.py", "srun --ntasks-per-node 4 python t.py"),
        (
            "srun --container-image=/a.sqsh --Label python t.py",
            "srun --container-image=/a.sqsh --label python t.py",
        ),
        ('O="--gpu-per-node=4"\nsrun $O python t.py', 'O="--gpus-per-node=4"\nsrun $O python t.py'),
        (
            "O=(--kill-on-bad-exits=1)\nsrun ${O[@]} python t.py",
            "O=(--kill-on-bad-exit=1)\nsrun ${O[@]} python t.py",
        ),
    ],
)
def test_one_slip_is_mended(line: str, mended: str) -> None:
    text = job(line, nodes=1, ntasks=4)
    assert len(lines(text, CODE)) == 1
    assert fixed(text, code=CODE).converged.source.text == job(mended, nodes=1, ntasks=4)


@pytest.mark.parametrize(
    "line",
    [
        "srun --ntask=4 python t.py",
        "srun --array=0-3 python t.py",
        "srun --sites-own=4 python t.py",
        "N=gpu-per-node\nsrun --$N=4 python t.py",
        "srun --gpu''-per-node=4 python t.py",
    ],
)
def test_what_is_not_clear_or_not_written_so_stays(line: str) -> None:
    text = job(line, nodes=1, ntasks=4)
    assert [found.fix for found in findings(text, CODE)] == [None]
