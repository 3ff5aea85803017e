"""SB203, SB205 and SB211 on the lines of srun, salloc and sbatch, not in directives alone."""

from __future__ import annotations

import pytest

from sbatchlint.api import Confidence
from tests.rules.checking import findings, fixed, job

PLAIN = {"nodes": 2, "ntasks_per_node": 1}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("srun -t 24:00 python train.py", "SB203"),
        ("srun --time=48:00 python train.py", "SB203"),
        ("LIMIT=24:00; srun --time=$LIMIT python train.py", "SB203"),
        ("salloc -t 24:00 -N 2", "SB203"),
        ("salloc --time=86400 srun python train.py", "SB203"),
        ("sbatch -t72:00 train.sh", "SB203"),
        ("srun --gpus=gpu:8 python train.py", "SB211"),
        ('OPTS=(-n 8 --gpus-per-node=gpu:8); srun "${OPTS[@]}" python train.py', "SB211"),
        ("salloc -G gpu:8", "SB211"),
        ("sbatch --gpus-per-node gpu:4 train.sh", "SB211"),
        ("salloc --mem=100 --gpus-per-node=8", "SB205"),
        ("sbatch --mem 64 --gres=gpu:h100:8 train.sh", "SB205"),
        ("srun --mem=100 -c 16 python train.py", "SB205"),
    ],
)
def test_it_is_told(line: str, code: str) -> None:
    (found,) = (one for one in findings(job(line, **PLAIN)) if one.code in ("SB203", "SB205", "SB211"))
    assert (found.code, found.severity.value, found.confidence) == (code, "warning", Confidence.HIGH)


@pytest.mark.parametrize(
    "line",
    [
        "srun -t 24:00:00 python train.py",
        "srun -t 25:00 python train.py",
        "srun -t 30 python train.py",
        "srun -t $LIMIT python train.py",
        "salloc -t <24:00> -N 2",
        "srun -t 24:00 -t 1:00:00 python train.py",
        "srun --gres=gpu:8 python train.py",
        "srun --gpus=8 python train.py",
        "srun --gpus=a100:8 python train.py",
        "srun python train.py --gpus=gpu:8 -t 24:00 --mem=100",
        "salloc --mem=100G --gpus-per-node=8",
        "srun --mem=0 --gpus-per-node=8 python train.py",
        "srun --mem=100M -c 16 python train.py",
        "srun -N1 -n1 --mem=100 tar xf data.tar",
        "srun --mem=100 --gres=gpu:0 tar xf data.tar",
        "srun --mem=100 --gpus=0 tar xf data.tar",
    ],
)
def test_other_values_are_left_in_peace(line: str) -> None:
    found = findings(job(line, **PLAIN))
    assert [one.code for one in found if one.code in ("SB203", "SB205", "SB211")] == []


def test_a_value_that_a_default_gives_is_told_with_less_confidence() -> None:
    (found,) = findings(job('srun -t "${LIMIT:-24:00}" python train.py', **PLAIN), "SB203")
    assert found.confidence is Confidence.MEDIUM


def test_one_place_is_told_once() -> None:
    text = job("for i in 1 2 3; do srun --gpus=gpu:8 python $i.py; done", **PLAIN)
    assert len(findings(text, "SB211")) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("salloc -Ggpu:8 -N 2", "salloc -G8 -N 2"),
        ("G=gpu:8; srun --gpus=$G python t.py", "G=8; srun --gpus=$G python t.py"),
        ("srun --gpus='gpu:8' python t.py", "srun --gpus='8' python t.py"),
        ('srun --gpus=g"pu:8" python t.py', 'srun --gpus=g"pu:8" python t.py'),
    ],
)
def test_the_type_goes_where_it_stands_as_it_is_read(before: str, after: str) -> None:
    result = fixed(job(before, **PLAIN), code="SB211")
    assert result.converged.source.text == job(after, **PLAIN)
