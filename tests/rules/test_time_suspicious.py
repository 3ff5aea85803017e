"""SB203: a plain number of minutes that would be a usual number of hours."""

from __future__ import annotations

import pytest

from sbatchlint.api import Confidence
from tests.rules.checking import findings, job

CODE = "SB203"


def script(*directives: str) -> str:
    return job(*(f"#SBATCH {one}" for one in directives), "srun python train.py")


@pytest.mark.parametrize(
    ("directives", "confidence"),
    [
        (("--time=24", "--nodes=2", "--gpus-per-node=8"), Confidence.MEDIUM),
        (("-t 72", "-N 4", "--gres=gpu:h100:8"), Confidence.MEDIUM),
        (("--time=48 # hours",), Confidence.HIGH),
        (("-t 24   # in h", "--nodes=1"), Confidence.HIGH),
    ],
)
def test_minutes_that_look_like_hours_are_told(directives: tuple[str, ...], confidence: Confidence) -> None:
    (found,) = findings(script(*directives), CODE)
    assert (found.severity.value, found.confidence) == ("warning", confidence)
    assert "minutes, not" in found.message


@pytest.mark.parametrize(
    "directives",
    [
        ("--time=24", "--nodes=1", "--gpus-per-node=8"),
        ("--time=24", "--nodes=2"),
        ("--time=30", "--nodes=2", "--gpus-per-node=8"),
        ("--time=120", "--nodes=2", "--gpus-per-node=8"),
        ("--time=24 # minutes", "--nodes=2", "--gpus-per-node=8"),
        ("--time=48 # 48 min, not hours", "--nodes=2", "--gpus-per-node=8"),
        ("--time=24:00:00 # hours", "--nodes=2", "--gpus-per-node=8"),
        ("--time=1-0 # 24 hours", "--nodes=2", "--gpus-per-node=8"),
        ("--time=24 # the shortest", "--nodes=2", "--gres=lscratch:100"),
    ],
)
def test_other_minutes_are_left_in_peace(directives: tuple[str, ...]) -> None:
    assert findings(script(*directives), CODE) == []
