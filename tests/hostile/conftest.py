"""Surroundings in which nothing of the tester's own machine is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint import files


@pytest.fixture(autouse=True)
def nobody_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave no Slurm on PATH, no home, and no patience with pipes."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", f"/usr/bin:/bin:{empty}")
    monkeypatch.setenv("HOME", str(empty))
    monkeypatch.setenv("SBATCHLINT_SBATCH", str(empty / "sbatch"))
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    for name in ("SLURM_CONF", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder."""
    made = tmp_path / "folder"
    made.mkdir()
    return made
