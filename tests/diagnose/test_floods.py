"""Logs of nothing but bad lines: read in time, what matters still found, counts said to be "at least"."""

from __future__ import annotations

import time

import pytest

from sbatchlint.diagnose.sought import ENOUGH
from tests.diagnose.scenes import diagnose, pieces

OOM = "7: [rank7]: torch.OutOfMemoryError: CUDA out of memory\n"
ENDED = "srun: error: gpu01: task 7: Exited with exit code 1\n"
FLOODS = {
    "warnings": "2026-03-04 10:00:00,123 WARNING ERROR: connection reset by peer, retrying attempt 3\n",
    "network": "3: gpu01:1:2 [3] NCCL WARN progress: Connection closed by remote peer gpu02<1>\n",
    "errors": "2026-03-04 10:00:00,123 ERROR something is odd\n",
    "worlds": "3: WORLD_SIZE=8 world_size: 8\n",
    "tracebacks": "Traceback (most recent call last):\n  File 'a.py', line 3\nValueError: odd\nstep 4\n",
}
MANY = 60_000


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_one_line_in_a_flood_of_others(flood: str) -> None:
    data = (flood * MANY + OOM + flood * MANY + ENDED).encode()
    start = time.process_time()
    found = diagnose(pieces(data, 1 << 20))
    assert time.process_time() - start < 12  # without giving up on any, it is minutes
    assert found.cause is not None
    assert found.cause.id == "cuda-oom" if flood is not FLOODS["tracebacks"] else found.cause.seen is not None
    assert found.where.task == 7 or flood is FLOODS["tracebacks"]
    assert found.lines == data.count(b"\n")


def test_the_end_of_a_log_is_looked_at_whatever_came_before() -> None:
    handled = (
        "3: [rank3]: Traceback (most recent call last):\n3: [rank3]: OSError: again\n3: [rank3]: step 5\n"
    )
    last = handled.replace("OSError: again", "KeyError: 'lr'").replace("3: [rank3]: step 5\n", ENDED)
    found = diagnose(handled * 5000 + last)
    assert found.cause is not None
    assert found.cause.title.endswith("KeyError")


@pytest.mark.parametrize("count", [5, ENOUGH - 1, ENOUGH + 30_000])
def test_counts_are_true_or_said_to_be_less(count: int) -> None:
    found = diagnose(OOM * count + ENDED)
    assert found.cause is not None
    told = found.cause.alike + 1
    if count < ENOUGH:
        assert (told, found.at_least) == (count, frozenset())
    else:
        assert ENOUGH <= told <= count
        assert found.at_least == {"cuda-oom"}


def test_a_job_that_starts_again_counts_anew() -> None:
    before = FLOODS["network"] * (ENOUGH + 9)
    again = "slurmstepd: error: *** JOB 11 ON n1 CANCELLED AT 2026-03-04T10:00:00 DUE TO JOB REQUEUE ***\n"
    found = diagnose(before + again + OOM + ENDED)
    assert found.cause is not None
    assert found.cause.id == "cuda-oom"
