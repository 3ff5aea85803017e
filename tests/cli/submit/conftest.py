"""A stand-in for sbatch, and a folder with scripts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbatchlint.cli import examining
from sbatchlint.cli.console import Console
from sbatchlint.submission.own_options import OwnOptions
from tests.cli.submit.standing_in import BAD, GOOD, WARNED, StandIn, stand_in


@pytest.fixture
def sbatch() -> Iterator[StandIn]:
    with stand_in() as made:
        yield made


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name, text in (("good.sh", GOOD), ("bad.sh", BAD), ("warned.sh", WARNED)):
        (tmp_path / name).write_bytes(text)
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Load all that the command loads, once: the processes forked from this one have it then."""
    with stand_in() as sbatch, tempfile.TemporaryDirectory() as folder:
        Path(folder, "job.sh").write_bytes(GOOD)
        _examined(sbatch, Path(folder))


def _examined(sbatch: StandIn, folder: Path) -> None:
    words = ["-D", str(folder), "job.sh"]
    found = examining.examine(words, OwnOptions(isolated=True), str(sbatch.folder / "sbatch"), Console())
    assert found is not None
