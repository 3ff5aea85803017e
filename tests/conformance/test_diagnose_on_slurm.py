"""Jobs that fail anew on a real Slurm, and what ``sbatchlint diagnose`` says of the logs that they leave."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from tests.conformance.live_slurm import running_slurm
from tests.diagnose.making.on_slurm import make

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

FAILED = {
    "task-killed": (None, "gpu02", 3, "SIGKILL"),
    "task-crashed": ("segfault", "gpu02", 2, "SIGSEGV"),
    "exits-three": (None, "gpu01", 1, 3),
    "one-traceback-of-eight": ("python-exception", "gpu02", 6, 1),
    "hidden-by-echo": ("python-exception", "gpu01", 1, 1),
    "disk-full": ("no-space", "gpu02", 1, 1),
    "command-not-found": ("cmd-not-found", "gpu02", 1, 127),
    "cancelled": ("cancelled", None, None, "SIGTERM"),
    "step-too-wide": ("step-layout", None, None, 1),
    "unbound-variable": ("unbound", None, None, 1),
}
"""The cause, the node and the task that failed first, and how it ended."""
WELL = ("healthy-noisy", "requeued-then-well")


@pytest.fixture(scope="module")
def diagnoses() -> dict[str, Any]:
    """What the tool says of each job, in a Slurm of its own: one of the jobs is requeued."""
    names = [*FAILED, *WELL]
    with running_slurm(nodes=2, first_port=18700) as slurm, ThreadPoolExecutor(6) as pool:
        made = list(pool.map(partial(make, slurm), names))
    return {name: diagnose(one.log) for name, one in zip(names, made, strict=True)}


def diagnose(log: str) -> Any:
    assert log
    done = subprocess.run(
        [sys.executable, "-m", "sbatchlint", "diagnose", "--output-format=json", "-"],
        input=log.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", FAILED)
def test_failure_is_found(name: str, diagnoses: dict[str, Any]) -> None:
    cause, node, task, ended = FAILED[name]
    found = diagnoses[name]
    assert found["state"] == "failed"
    assert (found["cause"] or {}).get("id") == cause
    assert (found["first"]["node"], found["first"]["task"]) == (node, task)
    assert (found["exit"]["signal"] or found["exit"]["code"]) == ended


@pytest.mark.parametrize("name", WELL)
def test_what_ended_well_is_not_blamed(name: str, diagnoses: dict[str, Any]) -> None:
    assert diagnoses[name]["state"] == "no-failure-found"
    assert diagnoses[name]["cause"] is None
