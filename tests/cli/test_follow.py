"""Files that a script sources are read, unless that is not wanted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sbatchlint.cli.main import main

JOB = """#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
source settings.sh
srun $LAUNCH train.py
"""


@pytest.fixture
def job(tmp_path: Path) -> str:
    (tmp_path / "settings.sh").write_text('LAUNCH="torchrun --nproc_per_node=8"\n')
    (tmp_path / "job.sh").write_text(JOB)
    return str(tmp_path / "job.sh")


def test_check(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--output-format=json", job]) == 1
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["code"], found["severity"]) == ("SB301", "warning")
    assert main(["--no-follow", job]) == 0


def test_fix_changes_the_script_alone(job: str) -> None:
    assert main(["--fix", job]) == 0
    assert Path(job).read_text() == JOB.replace("--ntasks-per-node=8", "--ntasks-per-node=1")


def test_plan(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", job]) == 0
    assert "torchrun --nproc_per_node=8 train.py" in capsys.readouterr().out
    assert main(["plan", "--no-follow", job]) == 0
    assert "torchrun" not in capsys.readouterr().out
