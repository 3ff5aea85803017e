"""The hooks, run by the real pre-commit from a real commit in a real repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hook.repository import Repository
from tests.hook.scripts import BAD, GOOD

pytestmark = pytest.mark.slow


@pytest.fixture
def user(tool: Repository, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Repository]:
    """Return a repository whose commits are checked by the hook that the test is parametrized with."""
    repository = Repository(tmp_path / "jobs", tool.home)
    (repository.folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {tool.folder}\n  rev: {tool.head()}\n  hooks:\n  - id: {request.param}\n"
    )
    repository.run("pre-commit", "install")
    repository.commit()
    yield repository


@pytest.mark.parametrize("user", ["sbatchlint"], indirect=True)
@pytest.mark.parametrize(
    ("code", "name"), [("SB101", "job.sbatch"), ("SB101", "scripts/run"), ("SB002", "a.sh")]
)
def test_a_bad_script_stops_the_commit(user: Repository, code: str, name: str) -> None:
    before = user.head()
    script = user.folder / name
    script.parent.mkdir(exist_ok=True)
    script.write_text(BAD[code])
    done = user.commit(check=False)
    assert done.returncode != 0
    assert code in done.stdout + done.stderr
    assert user.head() == before
    assert script.read_text() == BAD[code]


@pytest.mark.parametrize("user", ["sbatchlint", "sbatchlint-fix"], indirect=True)
def test_what_is_good_or_no_batch_script_passes(user: Repository) -> None:
    before = user.head()
    files = {
        "job.sbatch": GOOD,
        "job.sh": GOOD,
        "empty.sh": "",
        "tool.sh": "echo hello\n",
        "Makefile": "all:\n\techo\n",
        "README.md": BAD["SB101"].replace("#!/bin/bash", "```"),
    }
    for name, text in files.items():
        (user.folder / name).write_text(text)
    (user.folder / "data").write_bytes(b"\0\1\2")
    done = user.commit(check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert user.head() != before
    for name, text in files.items():
        assert (user.folder / name).read_text() == text


@pytest.mark.parametrize("user", ["sbatchlint-fix"], indirect=True)
@pytest.mark.parametrize("code", list(BAD))
def test_the_fix_hook_changes_the_script(user: Repository, code: str) -> None:
    before = user.head()
    script = user.folder / "job.slurm"
    script.write_text(BAD[code])
    done = user.commit(check=False)
    assert done.returncode != 0
    assert "files were modified by this hook" in done.stdout + done.stderr
    assert user.head() == before
    assert script.read_text() != BAD[code]
    user.commit()
    assert user.head() != before
