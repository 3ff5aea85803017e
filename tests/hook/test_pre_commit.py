"""The hooks, run by the real pre-commit from a real commit in a real repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging import copy_of_what_is_installed

GOOD = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=00:10:00\n\nsrun hostname\n"
BAD = {
    "SB101": GOOD.replace("#SBATCH --time", "#SBATCH --mpi=pmix\n#SBATCH --time"),
    "SB002": GOOD.replace("srun hostname", "srun hostname  # sbatchlint: ignore[SB001] no longer true"),
}

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Repository:
    """A git repository in a temporary folder, out of reach of the tester's own settings."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        folder.mkdir()
        git = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        self._environment = git | {
            "HOME": str(home),
            "PRE_COMMIT_HOME": str(home / "pre-commit"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "GIT_CONFIG_NOSYSTEM": "1",
            **{
                f"GIT_{who}_{what}": "t@example.org"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }
        self.run("git", "init", "-q")

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def commit(self, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Commit everything; without *check*, a hook may refuse it."""
        self.run("git", "add", "--all")
        return self.run("git", "commit", "-q", "-m", "change", check=check)

    def head(self) -> str:
        return self.run("git", "rev-parse", "HEAD").stdout.strip()


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return a repository with the project's files as they are now."""
    place = tmp_path_factory.mktemp("tool")
    (place / "home").mkdir()
    repository = Repository(place / "sbatchlint", place / "home")
    copy_of_what_is_installed(repository.folder)
    repository.commit()
    return repository


@pytest.fixture
def user(tool: Repository, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Repository]:
    """Return a repository whose commits are checked by the hook that the test is parametrized with."""
    repository = Repository(tmp_path / "jobs", tool.folder.parent / "home")
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
