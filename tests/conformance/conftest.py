"""The real Slurm that most tests share, for the time of their run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.live_slurm import Slurm, running_slurm

# What compares a plan with a run is shared with the tests against bash.
sys.path.insert(0, str(Path(__file__).parents[1] / "launch"))


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    """A Slurm of four nodes."""
    with running_slurm(nodes=4, first_port=18000) as running:
        yield running
