"""Two agents of the real torchrun, a worker that fails, and what the diagnosis says of what they wrote."""

from __future__ import annotations

import os
import re
from io import BytesIO
from pathlib import Path

import pytest

from sbatchlint.diagnose.diagnosis import Diagnosis, State
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


ONCE_MORE = 3
"""So many runs in which torchrun does not say how the worker ended make the test fail."""


def run(name: str, folder: Path) -> tuple[Diagnosis, str]:
    """Run what *name* says in *folder*; return the diagnosis and all that both agents wrote."""
    folder.mkdir()
    written = make(name, folder, apart=False)
    complaints: list[object] = []
    logs = [str(folder / "0.log"), str(folder / "1.log")]
    facts, _ = gather(
        logs, BytesIO(), lambda *told: complaints.append(told), lambda *told: complaints.append(told)
    )
    assert not complaints
    return judge(facts), "".join(written)


@pytest.mark.parametrize(
    ("name", "cause", "rank", "ended", "told"),
    [
        ("agents-worker-raises", "python-exception", 1, 1, r"(?m)^\[rank1\]: ValueError"),
        ("agents-worker-killed-c10d", None, 3, "SIGKILL", r"rank +: 3 .*\n *exitcode +: -9 "),
        ("agents-worker-crashes", "segfault", 2, "SIGSEGV", r"rank +: 2 .*\n *exitcode +: -11 "),
    ],
)
def test_the_worker_that_failed_is_found(
    name: str, cause: str | None, rank: int, ended: int | str, told: str, tmp_path: Path
) -> None:
    for attempt in range(ONCE_MORE):
        found, written = run(name, tmp_path / str(attempt))
        # An agent may fail itself before it tells: of its store, or of the file that a stopped worker left.
        assert found.state is State.FAILED
        assert (found.cause.id if found.cause else None) in (cause, None)
        assert found.where.rank in (rank, None)
        if re.search(told, written):
            assert (found.cause.id if found.cause else None) == cause
            assert found.where.rank == rank
            assert found.exit is not None
            assert (found.exit.signal or found.exit.code) == ended
            return
    pytest.fail(f"in {ONCE_MORE} runs no agent told how the worker ended")


def test_nothing_is_found_where_nothing_failed(tmp_path: Path) -> None:
    found, _ = run("agents-healthy", tmp_path / "run")
    assert found.cause is None
