"""The action from its first step, which installs the tool as a reader of docs/ci.md gets it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.ci.documents import action
from tests.ci.runner import Runner
from tests.ci.scripts import SRUN_ONLY
from tests.hook.repository import Repository
from tests.packaging import PROJECT, copy_of_what_is_installed


@pytest.mark.slow
def test_the_action_installs_itself(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    """Modules of the checked repository with the names of Python's own are not run in their place."""
    checkout = copy_of_what_is_installed(tmp_path / "the action")
    shutil.copy2(PROJECT / "action.yml", checkout)
    for name in ("venv", "pip", "ensurepip", "json", "sbatchlint", "sitecustomize"):
        repository.write(f"{name}.py", "open('owned', 'w')\n")
    repository.write("jobs/train.sh", SRUN_ONLY)
    whole = Runner(action(), checkout, repository.folder, runner.environment)
    run = whole.run(tmp_path / "a temp", python=sys.executable, sarif_file="out.sarif", paths="jobs")
    assert (run.status, run.outputs["exit-status"], run.outputs["count"]) == (1, "1", "1"), run.log
    assert ["SB101" in line for line in run.commands("error")] == [True]
    assert not (repository.folder / "owned").exists()
    assert (repository.folder / "out.sarif").is_file()
