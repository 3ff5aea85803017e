"""Two agents of the real torchrun, a worker that fails, and what the diagnosis says of what they wrote."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pytest

from sbatchlint.diagnose.diagnosis import Diagnosis
from sbatchlint.diagnose.judging import judge
from sbatchlint.diagnose.running import gather
from tests.diagnose.making.on_torchrun import make

pytestmark = [
    pytest.mark.megatron,
    pytest.mark.skipif(
        "SBATCHLINT_MEGATRON_PYTHON" not in os.environ,
        reason="SBATCHLINT_MEGATRON_PYTHON names no Python with torch",
    ),
]


def diagnosis_of(name: str, folder: Path) -> Diagnosis:
    make(name, folder, apart=False)
    complaints: list[object] = []
    logs = [str(folder / "0.log"), str(folder / "1.log")]
    facts, _ = gather(
        logs, BytesIO(), lambda *told: complaints.append(told), lambda *told: complaints.append(told)
    )
    assert not complaints
    return judge(facts)


@pytest.mark.parametrize(
    ("name", "cause", "rank", "ended"),
    [
        ("agents-worker-raises", "python-exception", 1, 1),
        ("agents-worker-killed-c10d", None, 3, "SIGKILL"),
        ("agents-worker-crashes", "segfault", 2, "SIGSEGV"),
    ],
)
def test_the_worker_that_failed_is_found(
    name: str, cause: str | None, rank: int, ended: int | str, tmp_path: Path
) -> None:
    found = diagnosis_of(name, tmp_path)
    assert (found.cause.id if found.cause else None) == cause
    assert found.where.rank == rank
    assert found.exit is not None
    assert (found.exit.signal or found.exit.code) == ended


def test_nothing_is_found_where_nothing_failed(tmp_path: Path) -> None:
    assert diagnosis_of("agents-healthy", tmp_path).cause is None
