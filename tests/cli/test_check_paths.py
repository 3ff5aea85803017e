"""``--check-paths`` as ``plan`` and ``check`` have it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sbatchlint.cli.main import main
from tests.cli.conftest import Run, Write

SCRIPT = (
    "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=5\n#SBATCH --mem=1G\n"
    "source ~/env.sh\nsrun python there.py\nsrun python gone.py\n"
)


@pytest.fixture
def job(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write("home/env.sh", whole="")
    write("there.py", whole="")
    write("jobs/job.sh", whole=SCRIPT)
    return "jobs/job.sh"


def test_the_plan_marks_what_is_missing(run: Run, job: str) -> None:
    shown = run("plan", "--check-paths", job).out
    assert "gone.py: program, line 7 [missing]\n" in shown and shown.count("[missing]") == 1
    assert "[missing]" not in run("plan", job).out


def test_the_document_says_what_is_there(run: Run, job: str) -> None:
    def exists(*options: str) -> dict[str, object]:
        document = json.loads(run("plan", "--output-format", "json", *options, job).out)
        return {one["path"]: one["exists"] for one in document["files"][0]["needs"]["paths"]}

    assert exists("--check-paths") == {"$HOME/env.sh": True, "there.py": True, "gone.py": False}
    assert exists() == {"$HOME/env.sh": None, "there.py": None, "gone.py": None}


def test_check_reports_it(
    job: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("check", "--select", "SB920", "--output-format", "concise")
    assert main([*asked, job]) == 0
    capsys.readouterr()
    assert main([*asked, "--check-paths", job]) == 1
    out = capsys.readouterr().out
    assert out == f"{job}:7:13: SB920 the program is not there: gone.py\n"
